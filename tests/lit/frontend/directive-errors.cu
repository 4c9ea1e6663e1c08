// Every misuse of the directive itself: one error each, at the wrong token, and no further one.
// RUN: %clangxx -fplugin=%plugin -x cuda -nocudainc -nocudalib -I%inputs --cuda-host-only -fsyntax-only -ferror-limit=0 -Xclang -verify %s
#include "cuda.h"
void f();
void g() {
#pragma gpuprof // expected-error {{expected a directive after '#pragma gpuprof': one of region, ignore, expect, count, spike, step}}
  f();
#pragma gpuprof regoin("a") // expected-error {{unknown directive 'regoin' in '#pragma gpuprof'; did you mean 'region'? It must be one of region, ignore, expect, count, spike, step}}
  f();
#pragma gpuprof 7 // expected-error {{unknown directive '7' in '#pragma gpuprof'}}
  f();
#pragma gpuprof ignore phase(forward) // expected-error {{unexpected 'phase' at the end of '#pragma gpuprof ignore'}}
  f();
#pragma gpuprof region("a"), // expected-error {{unexpected ',' at the end of '#pragma gpuprof region'}}
  f();
#pragma gpuprof region(a) // expected-error {{expected a string with the region's name after '('}}
  f();
#pragma gpuprof region() // expected-error {{expected a string with the region's name after '('}}
  f();
#pragma gpuprof region("a" // expected-error {{expected ')' after the region's name}}
  f();
#pragma gpuprof region("") // expected-error {{the region's name '' must not be empty or contain '/', tabs or control characters}}
  f();
#pragma gpuprof region("a/b") // expected-error {{the region's name 'a/b' must not be empty}}
  f();
#pragma gpuprof region("a\tb") // expected-error {{must not be empty or contain '/', tabs or control characters}}
  f();
#pragma gpuprof region("a\x01") // expected-error {{must not be empty or contain '/', tabs or control characters}}
  f();
#pragma gpuprof region("a") phaze(forward) // expected-error {{unknown clause 'phaze' in '#pragma gpuprof region'; did you mean 'phase'? It must be one of phase, category, color}}
  f();
#pragma gpuprof region phase(forward) phase(backward) // expected-error {{clause 'phase' is given twice}} expected-note {{the first one is here}}
  f();
#pragma gpuprof region phase // expected-error {{malformed clause 'phase': write phase(forward)}}
  f();
#pragma gpuprof region phase("forward") // expected-error {{malformed clause 'phase': write phase(forward)}}
  f();
#pragma gpuprof region phase(forward // expected-error {{malformed clause 'phase'}}
  f();
#pragma gpuprof region category(3) // expected-error {{malformed clause 'category': write category(attention) or category("my attention")}}
  f();
#pragma gpuprof region category("a/b") // expected-error {{category 'a/b' must not be empty or contain '/'}}
  f();
#pragma gpuprof region color(green) // expected-error {{malformed clause 'color': write color(0xRRGGBB), six hexadecimal digits}}
  f();
#pragma gpuprof region color(0x76b90) // expected-error {{malformed clause 'color'}}
  f();
#pragma gpuprof region color(7780608) // expected-error {{malformed clause 'color'}}
  f();
#pragma gpuprof region("a") nonsense(1) // expected-error {{unknown clause 'nonsense' in '#pragma gpuprof region': expected one of phase, category, color}}
  f();
}
