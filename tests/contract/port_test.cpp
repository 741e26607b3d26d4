// What every port promises by itself (ports/contract/port.h), before there is a kernel.
#include "suite.h"

namespace hocket::contract {
namespace {

volatile unsigned timer_interrupts = 0;
volatile unsigned reschedules = 0;
volatile bool seen_in_irq = false;
Instant fired_at;

void count_timer() {
  fired_at = now();
  seen_in_irq = Port::in_irq();
  timer_interrupts = timer_interrupts + 1;
}
void count_reschedule() {
  reschedules = reschedules + 1;
}

void reset() {
  timer_interrupts = 0;
  reschedules = 0;
  seen_in_irq = false;
}

using Duration = Instant::Duration;

Duration us(Ticks value) {
  return Duration(microseconds(value));
}

void spin_until(Instant instant) {
  while (now() < instant) pause();
}

void set_alarm(Instant instant) {
  const Port::IrqState state = Port::irq_save();
  Port::alarm_set(instant.ticks());
  Port::irq_restore(state);
}

// --- Time ---

void time_goes_on_and_never_back() {
  Instant last = now();
  const Instant first = last;
  bool ordered = true;
  for (unsigned i = 0; i < 2000; ++i) {
    const Instant next = now();
    ordered = ordered && next >= last;
    last = next;
  }
  HOCKET_EXPECT(ordered);
  HOCKET_EXPECT(last > first);
}

/// However long it was masked before: on a counter that is extended in software an overflow is
/// pending then, now and again, and setting an alarm must not lose it.
void time_goes_on_while_alarms_are_set() {
  constexpr unsigned kRounds = Instant::kCircular ? 80 : 8;  // two turns of a small counter
  bool exact = true;
  for (unsigned i = 0; i < kRounds; ++i) {
    const Port::IrqState state = Port::irq_save();
    const Instant before = now();
    while (now() - before < us(1000)) pause();
    Port::alarm_set((now() + us(100'000)).ticks());
    const Duration passed = now() - before;
    Port::irq_restore(state);
    exact = exact && passed >= us(1000) && passed < us(1500);
  }
  Port::alarm_off();
  HOCKET_EXPECT_IN_TIME(exact);
}

void alarm_fires_on_time() {
  const Instant due = now() + us(500);
  set_alarm(due);
  spin_until(due + us(200));
  HOCKET_EXPECT(timer_interrupts == 1);
  HOCKET_EXPECT(fired_at >= due);
  HOCKET_EXPECT_IN_TIME(fired_at <= due + Duration(Port::costs().timer_lateness));
}

/// Beyond the range of a small timer.
void far_alarm_fires_on_time() {
  const Instant due = now() + us(5'000);
  set_alarm(due);
  spin_until(due - us(100));
  HOCKET_EXPECT_IN_TIME(timer_interrupts == 0);
  spin_until(due + us(200));
  HOCKET_EXPECT(timer_interrupts == 1);
  HOCKET_EXPECT(fired_at >= due);
  HOCKET_EXPECT_IN_TIME(fired_at <= due + Duration(Port::costs().timer_lateness));
}

void alarm_in_the_past_fires_at_once() {
  const Instant before = now();
  set_alarm(before - Duration(1));
  spin_until(before + us(200));
  HOCKET_EXPECT(timer_interrupts == 1);
  HOCKET_EXPECT_IN_TIME(fired_at <= before + us(100));
}

void alarm_before_the_beginning_fires_at_once() {
  const Duration long_ago(1'000'000);
  set_alarm(Instant::kCircular ? now() - long_ago : Instant() - long_ago);
  spin_until(now() + us(200));
  HOCKET_EXPECT(timer_interrupts == 1);
}

void alarm_is_replaced_and_switched_off() {
  const Instant start = now();
  set_alarm(start + us(300));
  set_alarm(start + us(600));
  spin_until(start + us(500));
  HOCKET_EXPECT(timer_interrupts == 0);
  spin_until(start + us(800));
  HOCKET_EXPECT(timer_interrupts == 1);

  set_alarm(now() + us(300));
  const Port::IrqState state = Port::irq_save();
  Port::alarm_off();
  Port::irq_restore(state);
  spin_until(now() + us(600));
  HOCKET_EXPECT(timer_interrupts == 1);
}

// --- Masking ---

void masked_interrupt_waits() {
  const Port::IrqState state = Port::irq_save();
  const Instant due = now() + us(100);
  Port::alarm_set(due.ticks());
  spin_until(due + us(300));
  HOCKET_EXPECT(timer_interrupts == 0);
  Port::irq_restore(state);
  spin_until(now() + us(100));
  HOCKET_EXPECT(timer_interrupts == 1);
}

void masking_nests() {
  const Port::IrqState outer = Port::irq_save();
  Port::alarm_set(Port::now());
  const Port::IrqState inner = Port::irq_save();
  Port::irq_restore(inner);
  spin_until(now() + us(200));
  HOCKET_EXPECT(timer_interrupts == 0);
  Port::irq_restore(outer);
  spin_until(now() + us(100));
  HOCKET_EXPECT(timer_interrupts == 1);
}

void in_irq_tells_where() {
  HOCKET_EXPECT(!Port::in_irq());
  set_alarm(now());
  spin_until(now() + us(200));
  HOCKET_EXPECT(timer_interrupts == 1);
  HOCKET_EXPECT(seen_in_irq);
  HOCKET_EXPECT(!Port::in_irq());
}

void idle_wait_returns_after_an_interrupt() {
  const Instant due = now() + us(400);
  Port::irq_save();
  Port::alarm_set(due.ticks());
  Port::idle_wait();
  while (timer_interrupts == 0 && now() < due + us(400)) {
    Port::irq_save();  // another interrupt is allowed to end it, too: a tick, a clock's overflow
    if (timer_interrupts == 0) {
      Port::idle_wait();
    } else {
      Port::irq_enable();
    }
  }
  HOCKET_EXPECT(timer_interrupts == 1);
  HOCKET_EXPECT(now() >= due);
  set_alarm(now());  // unmasked again?
  spin_until(now() + us(200));
  HOCKET_EXPECT(timer_interrupts == 2);
}

void core_interrupts_itself() {
  Port::send_reschedule(Port::core_id());
  spin_until(now() + us(200));
  HOCKET_EXPECT(reschedules == 1);
}

// --- Contexts ---

alignas(Port::kStackAlignment) unsigned char stack_memory[2][Board::kTestStack];
Port::Context main_context;
Port::Context other_context[2];
volatile uint32_t argument_seen = 0;
volatile uint32_t rounds[2];

void other_entry(void* argument) {
  const auto which = static_cast<uint32_t>(reinterpret_cast<uintptr_t>(argument));
  argument_seen = which;
  for (;;) {
    rounds[which] = rounds[which] + 1;
    Port::context_switch(other_context[which], main_context);
  }
}

void init_context(unsigned which) {
  rounds[which] = 0;
  Port::context_init(other_context[which], {stack_memory[which], sizeof stack_memory[which]},
                     &other_entry, reinterpret_cast<void*>(static_cast<uintptr_t>(which)));
}

void contexts_start_with_their_argument() {
  const Port::IrqState state = Port::irq_save();
  init_context(0);
  init_context(1);
  Port::context_switch(main_context, other_context[1]);
  HOCKET_EXPECT(argument_seen == 1);
  Port::context_switch(main_context, other_context[0]);
  HOCKET_EXPECT(argument_seen == 0);
  HOCKET_EXPECT(rounds[0] == 1 && rounds[1] == 1);
  Port::irq_restore(state);
}

/// Many live values, so that all registers a call must keep are in use across the switches.
void switches_keep_registers() {
  const Port::IrqState state = Port::irq_save();
  init_context(0);
  volatile uint32_t seed = 3;
  uint32_t v[12];
  double f[6];
  for (uint32_t i = 0; i < 12; ++i) v[i] = seed * (i + 7);
  for (uint32_t i = 0; i < 6; ++i) f[i] = static_cast<double>(seed) * (i + 1) + 0.5;
  for (uint32_t round = 1; round <= 100; ++round) {
    Port::context_switch(main_context, other_context[0]);
    for (uint32_t i = 0; i < 12; ++i) v[i] += round;
    for (uint32_t i = 0; i < 6; ++i) f[i] += round;
  }
  for (uint32_t i = 0; i < 12; ++i) HOCKET_EXPECT(v[i] == 3 * (i + 7) + 5050);
  for (uint32_t i = 0; i < 6; ++i) HOCKET_EXPECT(f[i] == 3.0 * (i + 1) + 5050.5);
  HOCKET_EXPECT(rounds[0] == 100);
  Port::irq_restore(state);
}

void switch_in_handler() {
  Port::context_switch(main_context, other_context[0]);
}

void handlers_may_switch() {
  doors.timer = &switch_in_handler;
  init_context(0);
  const Instant start = now();
  set_alarm(start + us(50));
  spin_until(start + us(300));
  HOCKET_EXPECT(rounds[0] == 1);
  HOCKET_EXPECT(!Port::in_irq());
  doors.timer = &count_timer;
}

#define HOCKET_WITH_RESET(test) with_reset(HOCKET_CONSTANT_TEXT(#test), &test)

void with_reset(const char* name, void (*test)()) {
  reset();
  run(name, test);
}

}  // namespace

void run_port_tests() {
  doors = {&count_timer, &count_reschedule};
  Port::irq_enable();
  HOCKET_WITH_RESET(time_goes_on_and_never_back);
  HOCKET_WITH_RESET(time_goes_on_while_alarms_are_set);
  HOCKET_WITH_RESET(alarm_fires_on_time);
  HOCKET_WITH_RESET(far_alarm_fires_on_time);
  HOCKET_WITH_RESET(alarm_in_the_past_fires_at_once);
  HOCKET_WITH_RESET(alarm_before_the_beginning_fires_at_once);
  HOCKET_WITH_RESET(alarm_is_replaced_and_switched_off);
  HOCKET_WITH_RESET(masked_interrupt_waits);
  HOCKET_WITH_RESET(masking_nests);
  HOCKET_WITH_RESET(in_irq_tells_where);
  HOCKET_WITH_RESET(idle_wait_returns_after_an_interrupt);
  HOCKET_WITH_RESET(core_interrupts_itself);
  HOCKET_WITH_RESET(contexts_start_with_their_argument);
  HOCKET_WITH_RESET(switches_keep_registers);
  HOCKET_WITH_RESET(handlers_may_switch);
  reset();
  run_line_tests();
}

}  // namespace hocket::contract
