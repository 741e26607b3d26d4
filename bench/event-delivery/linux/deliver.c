// E5 on Linux: deliver CLASS LOOPS MS
//
// For so long since START is high a thread takes the edges of the line IN, both kinds, from the
// character device; SEEN has a pulse as the first thing that it does about each, and then it works
// for a moment. CLASS: other, or fifo. The sketch's two loops are threads that compute all the
// time. LOOPS: other, or deadline, where they have 20 ms in every 40 and 10 ms in every 200.
#include <find_prime.h>
#include <gpio_device.h>
#include <pins.h>

// The thread comes behind Linux's own for interrupts (50), or they would have to wait for it.
enum { START = 0, SEEN = 1, IN = 5, HANDLER = 49, END = 60, LOOPS = 2 };

static const struct {
  uint32_t budget_ms, period_ms;
} loops[LOOPS] = {{20, 40}, {10, 200}};

static bool with_deadline;
static volatile uint32_t primes;

static void* compute(void* argument) {
  const uintptr_t which = (uintptr_t)argument;
  if (with_deadline) become_deadline(loops[which].budget_ms, loops[which].period_ms);
  for (;;) {
    primes = findPrime(20000);
  }
}

/// The sketch's work at each edge.
static void work(uint32_t turns) {
  for (volatile uint32_t i = 0; i < turns; ++i) {
  }
}

static void* handle(void* is_fifo) {
  const int edges = request_edges(IN, true);
  unsigned short state[3] = {1, 2, 3};
  if (is_fifo != NULL) become_fifo(HANDLER);
  write_pin(START, true);
  for (;;) {
    next_edge(edges);
    write_pin(SEEN, true);
    write_pin(SEEN, false);
    work(20 + (uint32_t)(nrand48(state) % 100));
  }
}

int main(int count, char** words) {
  if (count < 4) {
    errno = EINVAL;
    fail("CLASS LOOPS MS");
  }
  with_deadline = strcmp(words[2], "deadline") == 0;
  const uint32_t ms = number_of(words, 3);
  lock_memory();
  open_pins(1u << START | 1u << SEEN);
  for (uintptr_t which = 0; which < LOOPS; which++) {
    start_thread(compute, (void*)which);
  }
  start_thread(handle, strcmp(words[1], "fifo") == 0 ? words : NULL);
  become_fifo(END);
  sleep_ms(ms);
  write_pin(START, false);
  return 0;
}
