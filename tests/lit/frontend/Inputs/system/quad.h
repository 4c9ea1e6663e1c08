// Declared as by the host's C and C++ libraries for compilers with the type.
#ifdef __SIZEOF_FLOAT128__
typedef _Complex float quad_complex __attribute__((__mode__(__TC__)));
typedef __float128 quad;
quad quad_square(quad x);
#endif
