struct Pair {
  int number;
  float factor;
};
int sum_there();
