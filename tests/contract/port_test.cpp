// What every port promises by itself (port/contract.h), before there is a kernel.
#include "suite.h"

namespace hocket::contract {
namespace {

volatile unsigned timer_interrupts = 0;
volatile unsigned kicks = 0;
volatile bool seen_in_irq = false;
volatile Ticks fired_at = 0;

void count_timer() {
  fired_at = Port::now();
  seen_in_irq = Port::in_irq();
  timer_interrupts = timer_interrupts + 1;
}
void count_kick() {
  kicks = kicks + 1;
}

void reset() {
  timer_interrupts = 0;
  kicks = 0;
  seen_in_irq = false;
}

void spin_until(Ticks instant) {
  while (Port::now() < instant) pause();
}

void set_alarm(Ticks instant) {
  const Port::IrqState state = Port::irq_save();
  Port::alarm_set(instant);
  Port::irq_restore(state);
}

// --- Time ---

void time_goes_on_and_never_back() {
  Ticks last = Port::now();
  const Ticks first = last;
  bool ordered = true;
  for (unsigned i = 0; i < 2000; ++i) {
    const Ticks next = Port::now();
    ordered = ordered && next >= last;
    last = next;
  }
  HOCKET_EXPECT(ordered);
  HOCKET_EXPECT(last > first);
}

void alarm_fires_on_time() {
  const Ticks due = Port::now() + microseconds(500);
  set_alarm(due);
  spin_until(due + microseconds(200));
  HOCKET_EXPECT(timer_interrupts == 1);
  HOCKET_EXPECT(fired_at >= due);
  HOCKET_EXPECT_IN_TIME(fired_at <= due + Port::costs().timer_lateness);
}

void alarm_in_the_past_fires_at_once() {
  const Ticks before = Port::now();
  set_alarm(before - 1);
  spin_until(before + microseconds(200));
  HOCKET_EXPECT(timer_interrupts == 1);
  HOCKET_EXPECT_IN_TIME(fired_at <= before + microseconds(100));
}

void alarm_before_the_beginning_fires_at_once() {
  set_alarm(Ticks{-1'000'000});
  spin_until(Port::now() + microseconds(200));
  HOCKET_EXPECT(timer_interrupts == 1);
}

void alarm_is_replaced_and_switched_off() {
  const Ticks now = Port::now();
  set_alarm(now + microseconds(300));
  set_alarm(now + microseconds(600));
  spin_until(now + microseconds(500));
  HOCKET_EXPECT(timer_interrupts == 0);
  spin_until(now + microseconds(800));
  HOCKET_EXPECT(timer_interrupts == 1);

  set_alarm(Port::now() + microseconds(300));
  const Port::IrqState state = Port::irq_save();
  Port::alarm_off();
  Port::irq_restore(state);
  spin_until(Port::now() + microseconds(600));
  HOCKET_EXPECT(timer_interrupts == 1);
}

// --- Masking ---

void masked_interrupt_waits() {
  const Port::IrqState state = Port::irq_save();
  const Ticks due = Port::now() + microseconds(100);
  Port::alarm_set(due);
  spin_until(due + microseconds(300));
  HOCKET_EXPECT(timer_interrupts == 0);
  Port::irq_restore(state);
  spin_until(Port::now() + microseconds(100));
  HOCKET_EXPECT(timer_interrupts == 1);
}

void masking_nests() {
  const Port::IrqState outer = Port::irq_save();
  Port::alarm_set(Port::now());
  const Port::IrqState inner = Port::irq_save();
  Port::irq_restore(inner);
  spin_until(Port::now() + microseconds(200));
  HOCKET_EXPECT(timer_interrupts == 0);
  Port::irq_restore(outer);
  spin_until(Port::now() + microseconds(100));
  HOCKET_EXPECT(timer_interrupts == 1);
}

void in_irq_tells_where() {
  HOCKET_EXPECT(!Port::in_irq());
  set_alarm(Port::now());
  spin_until(Port::now() + microseconds(200));
  HOCKET_EXPECT(timer_interrupts == 1);
  HOCKET_EXPECT(seen_in_irq);
  HOCKET_EXPECT(!Port::in_irq());
}

void idle_wait_returns_after_an_interrupt() {
  const Ticks due = Port::now() + microseconds(400);
  Port::irq_save();
  Port::alarm_set(due);
  Port::idle_wait();
  HOCKET_EXPECT(timer_interrupts == 1);
  HOCKET_EXPECT(Port::now() >= due);
  set_alarm(Port::now());  // unmasked again?
  spin_until(Port::now() + microseconds(200));
  HOCKET_EXPECT(timer_interrupts == 2);
}

void core_kicks_itself() {
  Port::core_kick(Port::core_id());
  spin_until(Port::now() + microseconds(200));
  HOCKET_EXPECT(kicks == 1);
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
  const Ticks now = Port::now();
  set_alarm(now + microseconds(50));
  spin_until(now + microseconds(300));
  HOCKET_EXPECT(rounds[0] == 1);
  HOCKET_EXPECT(!Port::in_irq());
  doors.timer = &count_timer;
}

void with_reset(const char* name, void (*test)()) {
  reset();
  run(name, test);
}

}  // namespace

void run_port_tests() {
  doors = {&count_timer, &count_kick};
  Port::irq_enable();
  with_reset("time_goes_on_and_never_back", &time_goes_on_and_never_back);
  with_reset("alarm_fires_on_time", &alarm_fires_on_time);
  with_reset("alarm_in_the_past_fires_at_once", &alarm_in_the_past_fires_at_once);
  with_reset("alarm_before_the_beginning_fires_at_once", &alarm_before_the_beginning_fires_at_once);
  with_reset("alarm_is_replaced_and_switched_off", &alarm_is_replaced_and_switched_off);
  with_reset("masked_interrupt_waits", &masked_interrupt_waits);
  with_reset("masking_nests", &masking_nests);
  with_reset("in_irq_tells_where", &in_irq_tells_where);
  with_reset("idle_wait_returns_after_an_interrupt", &idle_wait_returns_after_an_interrupt);
  with_reset("core_kicks_itself", &core_kicks_itself);
  with_reset("contexts_start_with_their_argument", &contexts_start_with_their_argument);
  with_reset("switches_keep_registers", &switches_keep_registers);
  with_reset("handlers_may_switch", &handlers_may_switch);
}

}  // namespace hocket::contract
