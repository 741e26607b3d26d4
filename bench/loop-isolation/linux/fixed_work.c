// E6 on Linux: fixed_work CLASS BELOW LOOPS SPINNER
//
// A thread for each loop of LOOPS (the sum of 1, 2, 4 for loops 1, 2, 3) finds the primes below
// BELOW once; its line is high meanwhile. SPINNER 1: beside them one that spins without end. CLASS:
// other, or deadline, where the threads have the loops' budgets, and the spinner 20 ms, in every
// 100 ms.
#include <find_prime.h>
#include <pins.h>
#include <semaphore.h>

enum { LOOPS = 3, SPINNER = LOOPS, PERIOD_MS = 100 };

static const uint32_t budgets_ms[LOOPS + 1] = {40, 20, 10, 20};

static bool with_deadline;
static uint32_t below;
static pthread_barrier_t begin;
static sem_t done;
static volatile uint32_t spins;

static void* body(void* argument) {
  const uint8_t which = (uint8_t)(uintptr_t)argument;
  pthread_barrier_wait(&begin);
  if (with_deadline) become_deadline(budgets_ms[which], PERIOD_MS);
  while (which == SPINNER) {
    spins = spins + 1;
  }
  write_pin(which, true);
  const uint32_t primes = findPrime(below);
  write_pin(which, false);
  printf("%u primes\n", primes);
  sem_post(&done);
  return NULL;
}

int main(int count, char** words) {
  if (count < 5) {
    errno = EINVAL;
    fail("CLASS BELOW LOOPS SPINNER");
  }
  with_deadline = strcmp(words[1], "deadline") == 0;
  below = number_of(words, 2);
  const uint32_t wanted = number_of(words, 3) | (number_of(words, 4) ? 1u << SPINNER : 0u);
  lock_memory();
  open_pins((1u << LOOPS) - 1);
  pthread_barrier_init(&begin, NULL, 1 + (unsigned)__builtin_popcount(wanted));
  sem_init(&done, 0, 0);
  uint32_t working = 0;
  for (uintptr_t which = 0; which <= SPINNER; which++) {
    if ((wanted >> which & 1) == 0) continue;
    start_thread(body, (void*)which);
    working += which != SPINNER;
  }
  pthread_barrier_wait(&begin);
  while (working > 0) {
    working -= sem_wait(&done) == 0;
  }
  return 0;
}
