/* The C file of a program in three languages: no C++. */
#include <stdlib.h>

int twice(int new) {
  int *class = malloc(sizeof *class);
  *class = 2 * new;
  new = *class;
  free(class);
  return new;
}
