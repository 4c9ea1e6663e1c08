// Read in place of libstdc++'s: an error in device code.
#ifndef _GLIBCXX_TR1_GAMMA_TCC
#ifdef __CUDA_ARCH__
#error definitions of the special functions are read for the CPU device
#endif
#include_next <tr1/gamma.tcc>
#endif
