// E1 on Linux: receive MS
//
// Rising edges of the line IN by the character device, as long as START is high: a thread of
// a fixed priority waits for them, and SEEN has a pulse for each.
#include <gpio_device.h>
#include <pins.h>

// The thread comes behind Linux's own for interrupts (50), or they would have to wait for it.
enum { START = 0, SEEN = 1, IN = 5, HANDLER = 49, END = 60 };

static void* handle(void* unused) {
  (void)unused;
  const int edges = request_edges(IN, false);
  become_fifo(HANDLER);
  write_pin(START, true);
  for (;;) {
    next_edge(edges);
    write_pin(SEEN, true);
    write_pin(SEEN, false);
  }
}

int main(int count, char** words) {
  (void)count;
  const uint32_t ms = number_of(words, 1);
  lock_memory();
  open_pins(1u << START | 1u << SEEN);
  become_fifo(END);
  start_thread(handle, NULL);
  sleep_ms(ms);
  write_pin(START, false);
  return 0;
}
