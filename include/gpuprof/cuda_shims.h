// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of NVIDIA's headers that clang's lack. Embedded as text (cmake/EmbedText.cmake): read by the plugin, and by
// 'gpuprof scan' for libclang.
// clang-format off
// What __managed__ is made where kernels run on the CPU device alone.
#define __gpuprof_managed __attribute__((device)) __attribute__((annotate("gpuprof.managed")))
// Loads and stores with a cache hint: the hint changes no value. The parameters N are empty: they make every
// other template of the name the better match.
template <class T, class U> inline __attribute__((device)) void __stcs(T *p, U v) { *p = v; }
template <class T, class U> inline __attribute__((device)) void __stcg(T *p, U v) { *p = v; }
template <class T, class U> inline __attribute__((device)) void __stwb(T *p, U v) { *p = v; }
template <class T, class U> inline __attribute__((device)) void __stwt(T *p, U v) { *p = v; }
template <class T, class... N> inline __attribute__((device)) T __ldca(const T *p, N...) { return *p; }
template <class T, class... N> inline __attribute__((device)) T __ldcg(const T *p, N...) { return *p; }
template <class T, class... N> inline __attribute__((device)) T __ldcs(const T *p, N...) { return *p; }
template <class T, class... N> inline __attribute__((device)) T __ldlu(const T *p, N...) { return *p; }
template <class T, class... N> inline __attribute__((device)) T __ldcv(const T *p, N...) {
  asm volatile("" ::: "memory");
  return *p;
}
// Clang's headers declare these for the device and define them nowhere. The text would choose among NaNs.
static inline __attribute__((always_inline, device)) double nan(const char *) { return __builtin_nan(""); }
static inline __attribute__((always_inline, device)) float nanf(const char *) { return __builtin_nanf(""); }
// Host code may call these unqualified. As for fmin and fmax, a NaN gives way to a number.
template <class T, class U, class = char[__is_arithmetic(T) && __is_arithmetic(U) ? 1 : -1]>
inline __attribute__((host)) constexpr auto max(T a, U b) -> decltype(a + b) { return a != a || a < b ? b : a; }
template <class T, class U, class = char[__is_arithmetic(T) && __is_arithmetic(U) ? 1 : -1]>
inline __attribute__((host)) constexpr auto min(T a, U b) -> decltype(a + b) { return a != a || b < a ? b : a; }
// Programs that include neither <math.h> nor <time.h> get these with NVIDIA's compiler.
template <class T, class = char[__is_floating_point(T) ? 1 : -1]>
inline __attribute__((host)) constexpr bool isfinite(T x) { return __builtin_isfinite(x); }
template <class T, class = char[__is_floating_point(T) ? 1 : -1]>
inline __attribute__((host)) constexpr bool isnan(T x) { return __builtin_isnan(x); }
template <class T, class = char[__is_floating_point(T) ? 1 : -1]>
inline __attribute__((host)) constexpr bool isinf(T x) { return __builtin_isinf(x) != 0; }
template <class T, class = char[__is_floating_point(T) ? 1 : -1]>
inline __attribute__((host)) constexpr bool signbit(T x) { return __builtin_signbit(x) != 0; }
extern "C" __attribute__((host)) long clock(void) noexcept(true);
// As the C library's <time.h> spells it, which may still come.
#define CLOCKS_PER_SEC  ((__clock_t) 1000000)
