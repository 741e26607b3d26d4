// E3 on Linux: multi_loop CASE BELOW WRITES WAIT_MS
//
// The sketches' work, as the paper's Linux sketch has it: threads of the usual class. CASE: writes,
// primes, one (both in one thread, the writes first), two (a thread for each). How long they take
// is at the pins; what was done is printed.
#include <find_prime.h>
#include <pins.h>
#include <semaphore.h>

enum { WRITING = 0, COMPUTING = 1, OUT = 2 };  // lines: high while a work lasts; written

static uint32_t below, writes, wait_ms;
static uint32_t primes_found, writes_made;

static void compute(void) {
  write_pin(COMPUTING, true);
  primes_found = findPrime(below);
  write_pin(COMPUTING, false);
}

static void write_all(void) {
  write_pin(WRITING, true);
  for (uint32_t i = 0; i < writes; i++) {
    write_pin(OUT, i % 2 == 0);
    writes_made++;
    if (wait_ms > 0) {
      sleep_ms(wait_ms);
    }
  }
  write_pin(WRITING, false);
}

static sem_t written;

static void* writer(void* unused) {
  (void)unused;
  write_all();
  sem_post(&written);
  return NULL;
}

int main(int count, char** words) {
  (void)count;
  const char* chosen = words[1];
  below = number_of(words, 2);
  writes = number_of(words, 3);
  wait_ms = number_of(words, 4);
  open_pins(1u << WRITING | 1u << COMPUTING | 1u << OUT);
  sem_init(&written, 0, 0);
  if (strcmp(chosen, "writes") == 0) {
    write_all();
  } else if (strcmp(chosen, "primes") == 0) {
    compute();
  } else if (strcmp(chosen, "one") == 0) {
    write_all();
    compute();
  } else if (strcmp(chosen, "two") == 0) {
    start_thread(writer, NULL);
    compute();
    while (sem_wait(&written) != 0) {
    }
  } else {
    errno = EINVAL;
    fail(chosen);
  }
  printf("did %u primes %u writes\n", primes_found, writes_made);
  return 0;
}
