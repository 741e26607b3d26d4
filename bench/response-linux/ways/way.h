// What the ways in C share. Each is called as `WAY IN OUT BASE PRIORITY`: lines of the chip, the
// number of its line 0 among all GPIOs, the real-time priority or 0. Each pulses OUT once when it
// is ready, and from then on at every rise of IN; who measures looks at the pins.
#pragma once

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

struct way {
  int in, out, base;
};

/// Tells which call failed and why, and ends the program.
static inline void need(int succeeded, const char* what) {
  if (succeeded) return;
  perror(what);
  exit(1);
}

static inline struct way begin(int count, char** words) {
  if (count != 5) {
    fprintf(stderr, "use: %s IN OUT BASE PRIORITY\n", words[0]);
    exit(2);
  }
  const struct sched_param priority = {.sched_priority = atoi(words[4])};
  if (priority.sched_priority > 0) {
    need(sched_setscheduler(0, SCHED_FIFO, &priority) == 0, "SCHED_FIFO");
    need(mlockall(MCL_CURRENT | MCL_FUTURE) == 0, "mlockall");
  }
  return (struct way){atoi(words[1]), atoi(words[2]), atoi(words[3])};
}
