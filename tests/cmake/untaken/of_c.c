#pragma gpuprof region("of_c")
void of_c(void) {}
