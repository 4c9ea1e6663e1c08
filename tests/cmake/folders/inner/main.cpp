void run_generated();
void run_late();
void run_linked();

int main() {
  run_generated();
  run_late();
  run_linked();
}
