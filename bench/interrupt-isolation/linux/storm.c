// E7 on Linux: storm CLASS HANDLER MS
//
// The main thread tests numbers for so long since START is high. CLASS: other, or deadline, where
// it has 70 ms in every 100 ms. HANDLER: off, or other, a thread of the usual class that counts the
// edges of the line IN, which come by the character device. Prints both numbers.
#include <gpio_device.h>
#include <pins.h>

enum { START = 0, IN = 5, BUDGET_MS = 70, PERIOD_MS = 100 };

static volatile uint32_t received;

// A result that nobody used would not be computed.
static volatile bool last;

static void* handle(void* file) {
  for (;;) {
    next_edge((int)(intptr_t)file);
    received++;
  }
}

/// As the sketch has it.
static bool prime(unsigned n) {
  for (unsigned d = 3; d * d <= n; d += 2) {
    if (n % d == 0) return false;
  }
  return true;
}

int main(int count, char** words) {
  if (count < 3) {
    errno = EINVAL;
    fail("CLASS HANDLER MS");
  }
  const uint64_t length = number_of(words, 3) * NS_PER_MS;
  lock_memory();
  open_pins(1u << START);
  if (strcmp(words[2], "off") != 0) {
    start_thread(handle, (void*)(intptr_t)request_edges(IN, true));
  }
  if (strcmp(words[1], "deadline") == 0) become_deadline(BUDGET_MS, PERIOD_MS);
  const uint64_t begin = now_ns();  // before the storm, which may leave this thread nothing
  write_pin(START, true);
  uint32_t tested = 0;
  for (unsigned n = 3; now_ns() - begin < length; n += 2) {
    last = prime(n);
    tested++;
  }
  const uint32_t until_then = received;
  printf("tested %u received %u\n", tested, until_then);
  return 0;
}
