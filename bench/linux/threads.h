// Threads and the clock of Linux, for the experiments' programs: what loops and their times are in
// the sketches.
//
// A program that cannot go on says why in one line and ends with status 1.
#pragma once

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define NS_PER_MS 1000000ull

__attribute__((noreturn)) static inline void fail(const char* what) {
  printf("%s: %s\n", what, strerror(errno));
  exit(1);
}

/// The whole number that is the program's word with this index.
static inline uint32_t number_of(char** words, int index) {
  if (words[index] == NULL) {
    errno = EINVAL;
    fail("a number is missing among the program's words");
  }
  return (uint32_t)strtoul(words[index], NULL, 10);
}

/// Nanoseconds since Linux was started. In the emulator: instructions.
static inline uint64_t now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000ull + (uint64_t)now.tv_nsec;
}

static inline void sleep_ms(uint32_t ms) {
  const struct timespec rest = {ms / 1000, (long)(ms % 1000 * NS_PER_MS)};
  clock_nanosleep(CLOCK_MONOTONIC, 0, &rest, NULL);
}

/// Another thread of the usual class. It ends with the program.
static inline void start_thread(void* (*body)(void*), void* argument) {
  pthread_t thread;
  errno = pthread_create(&thread, NULL, body, argument);
  if (errno != 0) fail("pthread_create");
}

/// Nothing of the program is paged in later: what real-time programs do first.
static inline void lock_memory(void) {
  if (mlockall(MCL_CURRENT | MCL_FUTURE) != 0) fail("mlockall");
}

/// This thread comes before all of the usual class and before those of a lower priority (1 to 99);
/// it has what sched_rt_runtime_us leaves it: 950 ms in every second.
static inline void become_fifo(int priority) {
  const struct sched_param wish = {.sched_priority = priority};
  errno = pthread_setschedparam(pthread_self(), SCHED_FIFO, &wish);
  if (errno != 0) fail("SCHED_FIFO");
}

/// This thread has `budget_ms` in every `period_ms` and no more, by earliest deadline first
/// (sched(7)).
static inline void become_deadline(uint32_t budget_ms, uint32_t period_ms) {
  const struct {
    uint32_t size, policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t runtime, deadline, period;
  } wish = {.size = 48,
            .policy = 6,
            .runtime = budget_ms * NS_PER_MS,
            .deadline = period_ms * NS_PER_MS,
            .period = period_ms * NS_PER_MS};
  if (syscall(SYS_sched_setattr, 0, &wish, 0) != 0) fail("SCHED_DEADLINE");
}
