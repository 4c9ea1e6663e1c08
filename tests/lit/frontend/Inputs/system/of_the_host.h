// A header of a library of the host: the body has no meaning in a device compile.
inline int of_the_host() {
#ifdef __CUDA_ARCH__
  return no_such_name;
#else
  return 1;
#endif
}
