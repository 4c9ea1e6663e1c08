enum { SECOND = 16 };
