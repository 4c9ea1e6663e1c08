// A jump into a region would leave it without having entered it: rejected. Jumps out of one and within one are fine.
// RUN: %clangxx -fplugin=%plugin -fsyntax-only -Xclang -verify %s
void f();

void intoRegion(int n) {
  if (n)
    goto inside; // expected-error {{jump into the statement of a '#pragma gpuprof region'}}
#pragma gpuprof region // expected-note {{the pragma is here}}
  {
    f();
  inside:
    f();
  }
}

void intoLabel(int n) {
#pragma gpuprof region // expected-note {{the pragma is here}}
again:
  f();
  if (n--)
    goto again; // expected-error {{jump into the statement of a '#pragma gpuprof region'}}
}

void intoSwitch(int n) {
  switch (n)
#pragma gpuprof region // expected-note {{the pragma is here}}
  {
  case 1: // expected-error {{the 'switch' outside jumps into the statement of a '#pragma gpuprof region'}}
    f();
  }
  switch (n) {
#pragma gpuprof region // expected-error {{'#pragma gpuprof region' cannot stand before a 'case' or 'default' label: put it after the label}}
  case 1:
    f();
#pragma gpuprof ignore // expected-error {{'#pragma gpuprof ignore' cannot stand before a 'case' or 'default' label}}
  default:
    f();
  }
}

void computed(int n) {
  void *target = n ? &&a : &&b;
#pragma gpuprof region // expected-note {{the pragma is here}}
  {
    f();
    goto *target; // expected-error {{computed 'goto' in a function with a '#pragma gpuprof region' on a statement}}
  }
a:
  f();
b:
  f();
}

void fine(int n) {
  for (;;) {
#pragma gpuprof region
    {
      if (n == 1)
        break;
      if (n == 2)
        continue;
      if (n == 3)
        goto out;
      if (n == 4)
        return;
      switch (n) {
      case 5:
        f();
      }
    within:
      if (n--)
        goto within;
    }
  }
out:
  f();
}

#pragma gpuprof region
void wholeFunction(int n) {
  void *target = &&a;
  if (n)
    goto *target;
a:
  f();
}
