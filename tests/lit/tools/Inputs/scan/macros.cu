#define HEAD(name) __global__ void name
#define WHOLE(name) \
  __global__ void name(float *x) { x[0] = 1; }
#define TWO(name) __global__ void name##_1(float *x); __global__ void name##_2
#define PASS(...) __VA_ARGS__

HEAD(head)(float *x) { x[0] = 1; }
WHOLE(whole)
TWO(two)(float *x) { x[0] = 2; }
PASS(__global__ void passed(float *x) { x[0] = 3; })
int before; __global__ void behind(float *x) { x[0] = 4; }
/* a comment
 that ends here */ __global__ void comment(float *x) { x[0] = 5; }
