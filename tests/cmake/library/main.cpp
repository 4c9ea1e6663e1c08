#include "checked.h"

void run_twice(float *x);

int main() {
  float *x = ones(32);
  run_twice(x);
  expect_all(x, 32, 2);
}
