/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Sanitizers make a test 5 to 50 times as slow, and replace malloc(). */
#ifndef SANITIZED_H
#define SANITIZED_H

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WITH_ADDRESS_SANITIZER 1
#endif
#if __has_feature(thread_sanitizer)
#define WITH_THREAD_SANITIZER 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define WITH_ADDRESS_SANITIZER 1
#endif
#if defined(__SANITIZE_THREAD__)
#define WITH_THREAD_SANITIZER 1
#endif

#if defined(WITH_ADDRESS_SANITIZER) || defined(WITH_THREAD_SANITIZER)
enum { SANITIZED = 1 };
#else
enum { SANITIZED = 0 };
#endif
#if defined(WITH_THREAD_SANITIZER)
enum { THREAD_SANITIZED = 1 };
#else
enum { THREAD_SANITIZED = 0 };
#endif

/* In a test: leaves it out, with the reason. */
#define SKIP_IF(condition, why)                                                                                        \
  if (condition) {                                                                                                     \
    print_message("skipped: %s\n", why);                                                                               \
    skip();                                                                                                            \
  }

#endif
