// Every misuse of a directive with expressions has its own message, at the wrong place.
// RUN: %clangxx -fplugin=%plugin %minicuda --cuda-host-only -ferror-limit=0 -fsyntax-only -Xclang -verify %s
// RUN: %clangxx -fplugin=%plugin %minicuda --cuda-device-only -ferror-limit=0 -fsyntax-only -Xclang -verify %s

#pragma gpuprof count("outside", 1) // expected-error {{'#pragma gpuprof count' must stand in a function, inside a '#pragma gpuprof region': put a region around it}}

void function() {
  { }
}
#pragma gpuprof spike(1) // expected-error {{'#pragma gpuprof spike' must stand in a function, inside a '#pragma gpuprof region': put a region around it}}
namespace space {
#pragma gpuprof step(1) // expected-error {{'#pragma gpuprof step' must stand in a function, inside a '#pragma gpuprof region': put a region around it}}
}

#pragma gpuprof region
void wrong(int n, float *p) {
#pragma gpuprof step // expected-error {{malformed '#pragma gpuprof step': write step(number)}}
#pragma gpuprof step() // expected-error {{malformed '#pragma gpuprof step': write step(number)}}
#pragma gpuprof step(n // expected-error {{malformed '#pragma gpuprof step': write step(number)}}
#pragma gpuprof step(n) n // expected-error {{unexpected 'n' at the end of '#pragma gpuprof step'}}
#pragma gpuprof step(missing) // expected-error {{use of undeclared identifier 'missing'}}
#pragma gpuprof step(p) // expected-error {{static_cast from 'float *' to 'long long' is not allowed}}
#pragma gpuprof spike // expected-error {{malformed '#pragma gpuprof spike': write spike(value)}}
#pragma gpuprof count(n, n) // expected-error {{malformed '#pragma gpuprof count': write count("name", amount)}}
#pragma gpuprof count("a") // expected-error {{malformed '#pragma gpuprof count': write count("name", amount)}}
#pragma gpuprof count("", n) // expected-error {{the counter's name '' must not be empty or contain quotes, backslashes or control characters}}
#pragma gpuprof count("a\tb", n) // expected-error {{must not be empty or contain quotes, backslashes or control characters}}
#pragma gpuprof expect // expected-error {{malformed '#pragma gpuprof expect': write expect flops(2.0 * n) bytes(8.0 * n) items(n), at least one of them}}
#pragma gpuprof expect(n) // expected-error {{malformed '#pragma gpuprof expect'}}
#pragma gpuprof expect flop(n) // expected-error {{malformed '#pragma gpuprof expect'}}
#pragma gpuprof expect flops(n) flops(n) // expected-error {{clause 'flops' is given twice}}
}

void between(int n) {
#pragma gpuprof region
#pragma gpuprof count("a", n) // expected-error {{'#pragma gpuprof count' stands between a region's pragma and its statement: put it into the statement's braces}}
  ++n;
}
