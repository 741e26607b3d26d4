// A core's steps, its sleep, and the code that its special registers are for.
#include "simulation/rp2040/core/core.h"

#include <algorithm>

namespace hocket::rp2040 {

Core::Core(unsigned index, Memory& memory, Bus& bus, const Timing& timing)
    : index_(index),
      memory_(memory),
      bus_(bus),
      timing_(timing),
      ram_(memory.ram()),
      flash_(memory.flash()),
      map_(Mpu::open_map()) {}

void Core::start(uint32_t vectors, uint32_t stack, uint32_t pc, Cycles now) {
  registers_ = {};
  registers_.r[Registers::kStack] = stack & ~3u;
  registers_.r[Registers::kLink] = UINT32_MAX;
  registers_.r[Registers::kPc] = pc & ~1u;
  registers_.thumb = (pc & 1) != 0;
  vectors_ = vectors;
  cycle_ = std::max(cycle_, now);
  state_ = State::Running;
  registers_changed();
}

void Core::start_at(uint32_t vectors, Cycles now) {
  uint32_t stack = 0, entry = 0;
  peek(vectors, stack);
  peek(vectors + 4, entry);
  start(vectors, stack, entry, now);
}

void Core::registers_changed() {
  permissions_changed();
  jumped_ = attention_ = true;
}

void Core::set_line(unsigned line, bool high) {
  nvic_.set_line(line, high);
  attention_ = true;
}

void Core::set_pending(uint32_t number) {
  constexpr uint32_t kEventOnPending = 0x10;  // SCR.SEVONPEND
  const bool fresh = !nvic_.pending(number);
  nvic_.pend(number);
  attention_ = true;
  if (fresh && (system_control_ & kEventOnPending) != 0) event_ = true;
}

void Core::advance(Cycles now) {
  if (sys_tick_.advance(now)) set_pending(exception::kSysTick);
}

/// WFI ends for an exception that would be taken if PRIMASK were clear (Armv6-M ARM, B1.5.19).
bool Core::ends_sleep() const {
  return nvic_.next().priority < nvic_.active_priority();
}

void Core::wait_for_interrupt() {
  spent_ += cost::kWait;
  if (ends_sleep()) {
    attention_ = true;
  } else {
    state_ = State::Sleeping;
  }
}

void Core::wait_for_event() {
  spent_ += cost::kWait;
  if (event_) {
    event_ = false;
    return;
  }
  if (nvic_.next().priority >= priority()) state_ = State::WaitingForEvent;
}

void Core::send_event(Cycles now) {
  event_ = true;
  if (state_ == State::WaitingForEvent) try_to_wake(now);
}

void Core::try_to_wake(Cycles now) {
  attention_ = false;
  const bool by_event = state_ == State::WaitingForEvent && event_;
  const bool by_exception =
      state_ == State::Sleeping ? ends_sleep() : nvic_.next().priority < priority();
  if (!by_event && !by_exception) return;
  if (by_event) event_ = false;
  state_ = State::Running;
  attention_ = true;
  cycle_ = std::max(cycle_, now);
}

/// After a change of what decides which permissions count.
void Core::permissions_changed() {
  protected_ = mpu_.counts(priority());
  map_ = protected_ ? mpu_.map(registers_.privileged()) : Mpu::open_map();
  allowed_granule_ = kNoGranule;
}

/// MRS (Armv6-M ARM, B4.2.2). Unprivileged code reads 0 where it may not look.
uint32_t Core::read_special(uint32_t number) const {
  const bool privileged = registers_.privileged();
  if (number < 8) {  // xPSR and its parts; EPSR reads as 0
    const uint32_t flags = (number & 4) == 0 ? registers_.flags.apsr() : 0;
    return flags | ((number & 1) != 0 ? registers_.exception : 0);
  }
  switch (number) {
    case 8:
      return privileged ? registers_.stack(false) : 0;
    case 9:
      return privileged ? registers_.stack(true) : 0;
    case 16:
      return privileged && registers_.masked ? 1 : 0;
    case 20:
      return uint32_t{registers_.unprivileged} | uint32_t{registers_.process_stack} << 1;
    default:
      return 0;
  }
}

/// MSR (Armv6-M ARM, B4.2.3). What unprivileged code may not write stays.
void Core::write_special(uint32_t number, uint32_t value) {
  if (number < 4) registers_.flags.set_apsr(value);
  if (!registers_.privileged()) return;
  switch (number) {
    case 8:
      registers_.stack(false) = value & ~3u;
      break;
    case 9:
      registers_.stack(true) = value & ~3u;
      break;
    case 16:
      registers_.masked = (value & 1) != 0;
      attention_ = true;
      break;
    case 20:
      registers_.unprivileged = (value & 1) != 0;
      // Handlers always use the main stack.
      if (registers_.exception == 0) registers_.use_stack((value & 2) != 0);
      permissions_changed();
      break;
    default:
      break;
  }
}

}  // namespace hocket::rp2040
