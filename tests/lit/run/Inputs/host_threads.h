/* For programs launching from several host threads. */
#ifndef HOST_THREADS_H
#define HOST_THREADS_H

#include <thread>
#include <vector>

/* Runs work(0) to work(count - 1) at once, and waits for all. */
static inline void in_host_threads(int count, void (*work)(int)) {
  std::vector<std::thread> threads;
  for (int i = 0; i < count; i++)
    threads.emplace_back(work, i);
  for (std::thread &thread : threads)
    thread.join();
}

#endif
