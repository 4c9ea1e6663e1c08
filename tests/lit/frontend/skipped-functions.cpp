// Functions unable to hold a region: constexpr ones (a warning), coroutines (an error).
// RUN: %clangxx -std=c++20 -fplugin=%plugin -fsyntax-only -Xclang -verify %s
namespace std {
template <class R, class...> struct coroutine_traits { using promise_type = typename R::promise_type; };
template <class P = void> struct coroutine_handle {
  static coroutine_handle from_address(void *) noexcept;
  template <class Q> coroutine_handle(coroutine_handle<Q>) noexcept;
};
} // namespace std
struct Awaited {
  bool await_ready() noexcept;
  void await_suspend(std::coroutine_handle<>) noexcept;
  void await_resume() noexcept;
};
struct Task {
  struct promise_type {
    Task get_return_object();
    Awaited initial_suspend();
    Awaited final_suspend() noexcept;
    void return_void();
    void unhandled_exception();
  };
};

#pragma gpuprof region // expected-warning {{'#pragma gpuprof region' is ignored in a constexpr function}}
constexpr int square(int n) { return n * n; } // expected-note {{'square' is declared here}}
static_assert(square(3) == 9);

constexpr int cube(int n) { // expected-note {{'cube' is declared here}}
#pragma gpuprof region("inner") // expected-warning {{'#pragma gpuprof region' is ignored in a constexpr function}}
  return n * n * n;
}
static_assert(cube(2) == 8);

#pragma gpuprof region // expected-error {{'#pragma gpuprof region' cannot be used in a coroutine, which may go on in another thread}}
Task whole() { co_return; } // expected-note {{'whole' is declared here}}

Task inner() { // expected-note {{'inner' is declared here}}
#pragma gpuprof region // expected-error {{cannot be used in a coroutine}}
  { co_await Awaited(); }
  co_return;
}

// An implicitly constexpr lambda is no reason to skip it.
int lambda(int n) {
  auto add = [](int n) {
#pragma gpuprof region("in lambda")
    return n + 1;
  };
  return add(n);
}
