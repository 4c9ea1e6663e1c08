void of_cxx() {}
