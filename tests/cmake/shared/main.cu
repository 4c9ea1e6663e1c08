void run();
void run_twice();

int main(int argc, char **) {
  if (argc > 1)
    return 0; // the program without instrumentation is not to launch where there is no GPU
  run();
  run_twice();
}
