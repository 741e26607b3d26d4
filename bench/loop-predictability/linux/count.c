// E4 on Linux: count CLASS BUDGET_MS PERIOD_MS PERIODS BESIDE RESTLESS
//
// The main thread counts as fast as it can and notes the count at the end of each period; BESIDE
// more compute all the time, or (RESTLESS 1) for a while and rest for a while, at random. They are
// of the usual class. CLASS of the one that counts: other, fifo, deadline (which alone has a
// budget). Prints the counts, a line each.
#include <find_prime.h>
#include <threads.h>

enum { PRIMES = 20000, PRIORITY = 50, MOST_PERIODS = 1000 };

static uint32_t counts[MOST_PERIODS];

// A result that nobody used would not be computed.
static volatile uint32_t primes;

static void* compute(void* unused) {
  (void)unused;
  for (;;) {
    primes = findPrime(PRIMES);
  }
}

/// At least `least`, less than `most`; the argument is this thread's own state of drand48().
static uint32_t random_between(uint32_t least, uint32_t most, unsigned short* state) {
  return least + (uint32_t)(nrand48(state) % (long)(most - least));
}

static void* compute_and_rest(void* seed) {
  unsigned short state[3] = {1, 2, (unsigned short)(uintptr_t)seed};
  for (;;) {
    primes = findPrime(random_between(1000, 8000, state));
    sleep_ms(random_between(1, 40, state));
  }
}

static void count_periods(uint64_t period_ns, uint32_t periods) {
  uint32_t count = 0;
  uint32_t period = 0;
  uint64_t begin = now_ns();
  while (period < periods) {
    count++;
    if (now_ns() - begin >= period_ns) {
      counts[period++] = count;
      count = 0;
      begin += period_ns;
    }
  }
}

int main(int count, char** words) {
  (void)count;
  const char* class = words[1];
  const uint32_t budget_ms = number_of(words, 2), period_ms = number_of(words, 3);
  const uint32_t periods = number_of(words, 4), beside = number_of(words, 5);
  const uint32_t restless = number_of(words, 6);
  if (periods > MOST_PERIODS) {
    errno = ERANGE;
    fail("PERIODS");
  }
  lock_memory();
  for (uint32_t i = 0; i < beside; i++) {
    start_thread(restless ? compute_and_rest : compute, (void*)(uintptr_t)i);
  }
  if (strcmp(class, "fifo") == 0) {
    become_fifo(PRIORITY);
  } else if (strcmp(class, "deadline") == 0) {
    become_deadline(budget_ms, period_ms);
  } else if (strcmp(class, "other") != 0) {
    errno = EINVAL;
    fail(class);
  }
  count_periods(period_ms * NS_PER_MS, periods);
  for (uint32_t i = 0; i < periods; i++) {
    printf("counted %u\n", counts[i]);
  }
  return 0;
}
