// What happens when the real-time level meets the ordinary one, as letters:
//
//   ( )   low begins and ends an ordinary section     .   low goes on
//   [ ]   the ordinary handler                        H   high was woken and runs
//   r     a real-time handler that wakes high         t k the kernel's timer and reschedule interrupt
#include "levels/bench.h"

namespace hocket::levels {
namespace {

Worker high;
Sem wake_high;

class Letters {
 public:
  void clear() { used_ = 0; }
  void add(char letter) {
    if (used_ + 1 < sizeof text_) text_[used_++] = letter;
    text_[used_] = '\0';
  }
  bool are(const char* wanted) const {
    unsigned i = 0;
    while (wanted[i] != '\0' && wanted[i] == text_[i]) ++i;
    return wanted[i] == text_[i];
  }
  const char* text() const { return text_; }

 private:
  char text_[64] = {};
  unsigned used_ = 0;
};
Letters letters;
Instant high_sleeps_until;  // …before it waits again; 0: it does not

void run_high(void*) {
  for (;;) {
    wake_high.wait();
    letters.add('H');
    if (high_sleeps_until > Instant(0)) {
      const Instant until = high_sleeps_until;
      high_sleeps_until = Instant(0);
      K::sleep_until(until);
      letters.add('H');
    }
  }
}

/// The real-time source's handler.
void on_second_timer(void*) {
  SecondTimer::off();
  letters.add('r');
  wake_high.signal();
}
/// The real-time source interrupts within a few instructions, if its level is not masked.
void interrupt_now() {
  SecondTimer::set(0);
  compute(20);
}

void expect(const char* name, const char* wanted) {
  letters.add('.');
  const Port::IrqState state = Port::irq_save();
  line(letters.are(wanted) ? "ok " : "FAIL ", name, ": ", letters.text());
  letters.clear();
  Port::irq_restore(state);
}

/// An ordinary section around `body`.
template <class Body>
void section(Body body) {
  const Port::IrqState state = Port::ordinary_save();
  letters.add('(');
  body();
  letters.add(')');
  Port::ordinary_restore(state);
}

void (*handler_body)();
void on_line(void*) {
  letters.add('[');
  handler_body();
  letters.add(']');
}
void raise_line(void (*body)()) {
  handler_body = body;
  raise(kUartId);
  compute(20);
}

// --- One meeting each ---

void sleep_for_timer(Ticks us) {
  high_sleeps_until = K::now() + Duration(us * kMicrosecond);
  wake_high.signal();
  letters.clear();
}

void noted_timer() {
  letters.add('t');
  K::on_timer();
}
void noted_reschedule() {
  letters.add('k');
  K::on_reschedule();
}

void one_by_one() {
  interrupt_now();
  expect("a handler wakes a thread", "rH.");
  section([] { interrupt_now(); });
  expect("in a section: the switch waits for its end", "(r)H.");
  section([] { section([] { interrupt_now(); }); });
  expect("in a nested section: for the end of the outer one", "((r))H.");
  section([] {
    section([] {});
    interrupt_now();
  });
  expect("after a nested section", "(()r)H.");
  section([] {
    const Port::IrqState state = Port::irq_save();
    interrupt_now();
    letters.add('-');
    Port::irq_restore(state);
  });
  expect("both masked in a section: the handler waits, too", "(-r)H.");
  const Port::IrqState state = Port::irq_save();
  section([] { interrupt_now(); });
  Port::irq_restore(state);
  expect("a section where both are masked", "()rH.");

  raise_line([] {});
  expect("an ordinary interrupt", "[].");
  raise_line([] { wake_high.signal(); });
  expect("its handler wakes a thread", "[]H.");
  raise_line(&interrupt_now);
  expect("a real-time handler in it wakes one", "[r]H.");
  raise_line([] { section([] { interrupt_now(); }); });
  expect("in a section in it", "[(r)]H.");
  section([] { raise_line(&interrupt_now); });
  expect("an ordinary interrupt waits for a section", "()[r]H.");
  section([] {
    raise_line([] {});
    interrupt_now();
  });
  // High is decided before the ordinary level is unmasked, and interrupted before its first letter.
  expect("both wait: the switch first", "(r)[]H.");
}

void kernels_own() {
  on_timer = &noted_timer;
  on_reschedule = &noted_reschedule;
  sleep_for_timer(50);
  compute(50'000);
  expect("a sleep ends", "tH.");
  sleep_for_timer(50);
  section([] { compute(50'000); });
  expect("it ends in a section", "(t)H.");
  sleep_for_timer(50);
  raise_line([] { compute(50'000); });
  expect("it ends in an ordinary handler", "[t]H.");
  section([] {
    Port::send_reschedule(0);
    compute(20);
  });
  expect("a reschedule in a section", "(k).");
  raise_line([] {
    Port::send_reschedule(0);
    compute(20);
  });
  expect("a reschedule in an ordinary handler", "[k].");
  sleep_for_timer(50);
  section([] {
    Port::send_reschedule(0);
    compute(50'000);
  });
  expect("both in a section", "(kt)H.");
  sleep_for_timer(50);
  section([] {
    Port::send_reschedule(0);
    compute(50'000);
    interrupt_now();
  });
  expect("timer, reschedule and a handler", "(ktr)HH.");
  on_timer = &K::on_timer;
  on_reschedule = &K::on_reschedule;
}

// --- Random meetings ---

// Each has one writer, so reading them at any instant is right.
volatile uint32_t woken_by_real_time, woken_by_ordinary, ran;
volatile uint32_t depth;  // of low's sections: true from after the masking to before its end
volatile bool in_handler;
volatile const char* broken;
volatile uint32_t handlers;
Worker random_high;
Sem wake_random;
Random when{11};
bool going;

void plan() {
  if (going) SecondTimer::set(Port::now() + 100 + static_cast<Ticks>(when.below(3'000)));
}
void on_random_timer(void*) {
  SecondTimer::off();
  woken_by_real_time = woken_by_real_time + 1;
  wake_random.signal();
  plan();
}
void on_random_line(void*) {
  static Random random{12};
  in_handler = true;
  handlers = handlers + 1;
  compute(random.below(60));
  if (random.below(3) == 0) {
    woken_by_ordinary = woken_by_ordinary + 1;
    wake_random.signal();
  }
  compute(random.below(60));
  in_handler = false;
}
void run_random_high(void*) {
  for (;;) {
    wake_random.wait();
    if (depth != 0) broken = "high ran in low's section";
    ran = ran + 1;
    if (ran % 4 == 0) raise(kUartId);
    compute(ran % 32);
  }
}

/// Low, unmasked: everybody who was woken has run.
void all_ran() {
  const uint32_t woken = woken_by_real_time + woken_by_ordinary;  // first: more may come meanwhile
  if (ran < woken) broken = "low ran though high was woken";
}

void random_section(Random& random, unsigned levels) {
  const Port::IrqState state = Port::ordinary_save();
  depth = depth + 1;
  compute(random.below(40));
  if (random.below(3) == 0) raise(kUartId);
  if (levels > 0 && random.below(2) == 0) random_section(random, levels - 1);
  compute(random.below(40));
  depth = depth - 1;
  Port::ordinary_restore(state);
}

void at_random() {
  constexpr unsigned kRounds = 4'000;
  Random random{13};
  Interrupts::Lines::attached[kPhysicalTimerId].handler = &on_random_timer;
  Interrupts::Lines::attached[kUartId].handler = &on_random_line;
  random_high.start(2, 900, 1'000, &run_random_high);
  going = true;
  plan();
  for (unsigned i = 0; i < kRounds && broken == nullptr; ++i) {
    switch (random.below(4)) {
      case 0:
        compute(random.below(50));
        break;
      case 1:
        raise(kUartId);
        break;
      case 2:
        random_section(random, 3);
        break;
      default: {
        const Port::IrqState state = Port::irq_save();
        compute(random.below(40));
        Port::irq_restore(state);
      }
    }
    if (!in_handler) all_ran();
  }
  going = false;
  compute(1'000);
  SecondTimer::off();
  const uint32_t woken = woken_by_real_time + woken_by_ordinary;
  if (woken != ran && broken == nullptr) broken = "a wake-up was lost";
  if (broken != nullptr) hocket_halt(const_cast<const char*>(broken));
  line("ok random: ", woken_by_real_time, " real-time, ", handlers, " ordinary, ", ran,
       " switches");
}

}  // namespace

void test_order() {
  Interrupts::Lines::attached[kPhysicalTimerId].handler = &on_second_timer;
  Interrupts::Lines::attached[kUartId].handler = &on_line;
  high.start(1, 900, 1'000, &run_high);
  compute(2'000);
  one_by_one();
  kernels_own();
  at_random();
}

}  // namespace hocket::levels
