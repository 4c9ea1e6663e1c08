// A misuse mended by one edit comes with a fix-it.
// RUN: ( ! %clangxx -fplugin=%plugin -fsyntax-only -fdiagnostics-parseable-fixits -ferror-limit=0 %s ) 2>&1 | grep '^fix-it' | %FileCheck --check-prefix=FIX %s
void f();
void g() {
  // FIX: fix-it:"{{.*}}":{[[@LINE+1]]:17-[[@LINE+1]]:23}:"region"
#pragma gpuprof regoin("a")
  f();
  // FIX: fix-it:"{{.*}}":{[[@LINE+1]]:29-[[@LINE+1]]:34}:"phase"
#pragma gpuprof region("a") phaze(forward)
  f();
  // FIX: fix-it:"{{.*}}":{[[@LINE+1]]:24-[[@LINE+1]]:28}:"\"name\""
#pragma gpuprof region(name)
  f();
  // FIX: fix-it:"{{.*}}":{[[@LINE+1]]:27-[[@LINE+1]]:27}:")"
#pragma gpuprof region("a"
  f();
  // FIX: fix-it:"{{.*}}":{[[@LINE+1]]:28-[[@LINE+1]]:29}:""
#pragma gpuprof region("a"), phase(forward)
  f();
  // FIX: fix-it:"{{.*}}":{[[@LINE+1]]:30-[[@LINE+1]]:39}:"forward"
#pragma gpuprof region phase("forward")
  f();
  // FIX: fix-it:"{{.*}}":{[[@LINE+1]]:37-[[@LINE+1]]:37}:")"
#pragma gpuprof region phase(forward
  f();
  // FIX: fix-it:"{{.*}}":{[[@LINE+1]]:30-[[@LINE+1]]:36}:"forward"
#pragma gpuprof region phase(foward)
  f();
  // FIX: fix-it:"{{.*}}":{[[@LINE+2]]:3-[[@LINE+2]]:4}:""
#pragma gpuprof region
  ;
}
