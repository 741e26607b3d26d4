// Alarms of a real-time source while threads use the kernel, which masks both levels: once with a
// line whose handler interrupts and wakes a reader, once with a thread that does the same without
// one.
#include "levels/bench.h"

namespace hocket::levels {
namespace {

constexpr unsigned kAlarms = 40'000;
constexpr unsigned kMost = 4'000;
uint32_t distribution[kMost + 1];
volatile unsigned alarms;
volatile Ticks due;
volatile bool loaded;
volatile uint32_t interrupts, taken;
Random distances{1};

Worker first, second, reader, sleeper;
Sem to_first, to_second, arrived;

void note(void*, Ticks now) {
  const Ticks late = now - due;
  ++distribution[late < Ticks{kMost} ? late : kMost];
  alarms = alarms + 1;
  due = now + 300 + static_cast<Ticks>(distances.below(1'000));
  if (alarms < kAlarms) {
    SecondTimer::set(due);
  } else {
    SecondTimer::off();
  }
}
[[gnu::naked]] void timed(void*) {
  asm("mrs x1, cntvct_el0\n b %c0" ::"i"(&note));
}

void (*uart_handler)(void*);

/// A driver's handler: takes the bytes in and wakes who waits for them.
void on_line(void*) {
  LineBus::waiting = kBytes;
  uart_handler(nullptr);
  arrived.signal();
  interrupts = interrupts + 1;
}

void bytes_come() {
  if (loaded) {
    raise(kUartId);
  } else {
    on_line(nullptr);
  }
}

void run_first(void*) {
  static Random random{21};
  for (;;) {
    compute(random.below(100));
    bytes_come();
    to_second.signal();
    to_first.wait();
  }
}
void run_second(void*) {
  static Random random{22};
  for (;;) {
    to_second.wait();
    compute(random.below(100));
    to_first.signal();
    compute(random.below(100));
    bytes_come();
  }
}
void run_reader(void*) {
  for (;;) {
    arrived.wait();
    while (Serial::read() >= 0) taken = taken + 1;
  }
}
void run_sleeper(void*) {
  static Random random{23};
  for (;;) {
    compute(random.below(200));
    K::sleep_until(K::now() + Duration(5'000 + static_cast<Ticks>(random.below(5'000))));
  }
}

void measure(const char* name, bool with_load) {
  for (uint32_t& count : distribution) count = 0;
  distances = Random{1};
  alarms = 0;
  interrupts = 0;
  taken = 0;
  loaded = with_load;
  const Ticks begin = Port::now();
  due = begin + 1'000;
  SecondTimer::set(due);
  while (alarms < kAlarms) K::sleep_until(K::now() + Duration(1'000 * kMicrosecond));
  for (unsigned i = 0; i <= kMost; ++i) {
    if (distribution[i] > 0) line(name, " ", i, " ", distribution[i]);
  }
  line(name, " lasted ", static_cast<uint64_t>(Port::now() - begin));
  line(name, " served ", interrupts);
  if (taken == 0) hocket_halt("nobody read the line");
}

}  // namespace

void measure_kernel() {
  Serial::init();  // the line's own handler again
  uart_handler = Interrupts::Lines::attached[kUartId].handler;
  Interrupts::Lines::attached[kUartId].handler = &on_line;
  Interrupts::Lines::attached[kPhysicalTimerId].handler = &timed;
  reader.start(3, 200, 1'000, &run_reader);
  sleeper.start(4, 200, 1'000, &run_sleeper);
  first.start(5, 200, 1'000, &run_first);
  second.start(6, 200, 1'000, &run_second);
  measure("kernel-quiet", false);
  measure("kernel-storm", true);
}

}  // namespace hocket::levels
