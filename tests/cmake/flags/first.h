enum { FIRST = 8 };
