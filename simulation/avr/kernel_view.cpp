#include "simulation/avr/kernel_view.h"

namespace hocket::avr {
bool KernelView::clock_started() {
  if (clock_start_ == 0 && mcu_.data(mcu_.chip().timers[mcu_.chip().clock_timer].control_b) != 0)
    clock_start_ = mcu_.cycle();
  return clock_start_ != 0;
}

Cycles KernelView::cycle_of(uint32_t instant) const {
  const Cycles cycles_per_tick = kCyclesPerSecond / layout_.tick_hz;
  const Cycles now = (mcu_.cycle() - clock_start_) / cycles_per_tick;
  const auto ahead = static_cast<int32_t>(instant - static_cast<uint32_t>(now));
  const auto tick = static_cast<int64_t>(now) + ahead;
  return clock_start_ + (tick > 0 ? static_cast<Cycles>(tick) * cycles_per_tick : 0);
}

LoopNow KernelView::loop(uint16_t memory) const {
  const uint8_t state = byte(memory + layout_.thread_state);
  const unsigned head = memory + layout_.head_refill;
  LoopNow now{};
  now.waits = state == layout_.thread_ready      ? Waits::No
              : state == layout_.thread_sleeping ? Waits::ForTime
              : state == layout_.thread_waiting || state == layout_.thread_suspended
                  ? Waits::ForSomething
                  : Waits::ForEver;
  now.ready = byte(memory + layout_.vcpu_state) == layout_.vcpu_ready;
  now.wake_at = cycle_of(word(memory + layout_.wake_at));
  if (!has_budgets(layout_.policy)) return now;
  now.has_budget = true;
  now.head = cycle_of(word(head + layout_.refill_time));
  now.head_end = word(head + layout_.refill_time) + word(head + layout_.refill_amount);
  return now;
}

}  // namespace hocket::avr
