void run();

int main() {
#pragma gpuprof region("plain.main")
  {
    run();
    run();
  }
}
