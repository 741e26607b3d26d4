// Entry and return of exceptions, faults and lockup (Armv6-M ARM, B1.5).
#include <array>

#include "simulation/rp2040/core/access.h"

namespace hocket::rp2040 {
namespace {

// EXC_RETURN: where an exception returns to (Armv6-M ARM, table B1-9).
constexpr uint32_t kReturnPrefix = 0xf;
constexpr uint32_t kToHandler = 0xffff'fff1, kToMainStack = 0xffff'fff9,
                   kToProcessStack = 0xffff'fffd;

// The frame: r0 … r3, r12, lr, pc, xPSR.
constexpr uint32_t kFrameSize = 32;
constexpr unsigned kFrameWords = 8, kFramePc = 6, kFrameXpsr = 7;
constexpr std::array<unsigned, 6> kFrameRegisters = {0, 1, 2, 3, 12, Registers::kLink};
constexpr uint32_t kXpsrThumb = 1u << 24, kXpsrAligned = 1u << 9, kXpsrException = 0x3f;

}  // namespace

int Core::priority() const {
  const int active = nvic_.active_priority();
  return registers_.masked && active > 0 ? 0 : active;
}

/// Before an instruction. Returns whether an exception was entered instead.
bool Core::attend() {
  attention_ = false;
  if (!registers_.thumb) {
    raise({Fault::Kind::NotThumb, pc(), pc()});
    return true;
  }
  const Nvic::Next next = nvic_.next();
  if (next.priority >= priority()) return false;
  enter(next.number, pc());
  return true;
}

/// Interrupted code's registers go to its stack. Returns false if that may not be written.
bool Core::push_frame(uint32_t return_to) {
  uint32_t& stack = registers_.r[Registers::kStack];
  const bool odd = (stack & 4) != 0;
  stack = (stack - kFrameSize) & ~7u;
  const uint32_t frame = stack;
  bool pushed = true;
  for (unsigned i = 0; i < kFrameRegisters.size(); ++i) {
    pushed = pushed && store<uint32_t>(frame + 4 * i, registers_.r[kFrameRegisters[i]]);
  }
  const uint32_t xpsr = registers_.xpsr() | (odd ? kXpsrAligned : 0);
  return pushed && store<uint32_t>(frame + 4 * kFramePc, return_to) &&
         store<uint32_t>(frame + 4 * kFrameXpsr, xpsr);
}

/// A frame that cannot be written makes a HardFault of the exception, which then stays pending; it
/// runs on the main stack (B1.5.6, derived exceptions). That holds for a HardFault's own entry,
/// too, from code that is neither HardFault nor NMI: Arm's list of what locks this core up does not
/// have it (Cortex-M0+ Devices Generic User Guide, DUI 0662, 2.4.1). The entry's cycles hold its
/// accesses.
void Core::enter(uint32_t number, uint32_t return_to) {
  const bool thread = registers_.exception == 0;
  const uint32_t link = !thread                    ? kToHandler
                        : registers_.process_stack ? kToProcessStack
                                                   : kToMainStack;
  const Cycles waited = waited_;
  fault_ = {};
  spent_ = 0;
  const bool pushed = push_frame(return_to);
  cycle_ += timing_.entry + (waited_ - waited);
  if (!pushed) {
    last_fault_ = fault_;
    fault_ = {};
    ++faults_;
    if (number == exception::kNmi) {
      state_ = State::LockedUp;
      return;
    }
    number = exception::kHardFault;
  }
  vector_to(number, link);
}

void Core::vector_to(uint32_t number, uint32_t link) {
  registers_.use_stack(false);
  registers_.r[Registers::kLink] = link;
  registers_.exception = number;
  nvic_.activate(number);
  permissions_changed();
  uint32_t vector = 0;  // read as privileged code without MPU would
  peek(vectors_ + 4 * number, vector);
  registers_.r[Registers::kPc] = vector & ~1u;
  registers_.thumb = (vector & 1) != 0;
  event_ = jumped_ = attention_ = true;
}

bool Core::returns_from_exception(uint32_t target) const {
  return registers_.exception != 0 && target >> 28 == kReturnPrefix;
}

/// BX, BLX and POP with pc.
void Core::branch_exchange(uint32_t target) {
  if (returns_from_exception(target)) {
    leave(target);
    return;
  }
  next_pc_ = target & ~1u;
  registers_.thumb = (target & 1) != 0;
  attention_ = attention_ || !registers_.thumb;
}

/// A frame that cannot be read, and a return that has no right value, is a HardFault that takes the
/// place of the exception: the frame stays where it is (B1.5.8).
void Core::leave(uint32_t link) {
  const uint32_t from = registers_.exception;
  const bool known = link == kToHandler || link == kToMainStack || link == kToProcessStack;
  const bool to_thread = link != kToHandler;
  if (!known || to_thread != nvic_.only_active(from)) {
    refuse(Fault::Kind::Return, link);
    return;
  }
  nvic_.deactivate(from);
  const bool process = link == kToProcessStack;
  const uint32_t frame = registers_.stack(process);
  std::array<uint32_t, kFrameWords> words{};
  const uint32_t spent = spent_;  // the exit's cycles hold the accesses
  const Cycles waited = waited_;
  for (unsigned i = 0; i < kFrameWords; ++i) {
    if (!load<uint32_t>(frame + 4 * i, words[i])) {
      last_fault_ = fault_;
      fault_ = {};
      ++faults_;
      if (nvic_.active_priority() <= Nvic::kHardFaultPriority) {
        state_ = State::LockedUp;
      } else {
        vector_to(exception::kHardFault, link);
      }
      spent_ = spent + timing_.entry;
      next_pc_ = pc();
      return;
    }
  }
  spent_ = spent + timing_.exit + static_cast<uint32_t>(waited_ - waited);
  registers_.exception = to_thread ? 0 : words[kFrameXpsr] & kXpsrException;
  registers_.use_stack(process);
  for (unsigned i = 0; i < kFrameRegisters.size(); ++i) {
    registers_.r[kFrameRegisters[i]] = words[i];
  }
  const bool odd = (words[kFrameXpsr] & kXpsrAligned) != 0;
  registers_.r[Registers::kStack] = (frame + kFrameSize) | (odd ? 4u : 0u);
  registers_.flags.set_apsr(words[kFrameXpsr]);
  registers_.thumb = (words[kFrameXpsr] & kXpsrThumb) != 0;
  next_pc_ = words[kFramePc] & ~1u;
  event_ = attention_ = true;
  permissions_changed();
  constexpr uint32_t kSleepOnExit = 2;
  if (to_thread && (system_control_ & kSleepOnExit) != 0 && !ends_sleep()) {
    state_ = State::Sleeping;
  }
}

/// All faults are HardFaults. One in a HardFault or an NMI locks the core up (B1.5.14).
void Core::raise(Fault fault) {
  fault_ = {};
  last_fault_ = fault;
  ++faults_;
  cycle_ += spent_;
  if (nvic_.active_priority() <= Nvic::kHardFaultPriority) {
    state_ = State::LockedUp;
    return;
  }
  enter(exception::kHardFault, fault.pc);
}

/// SVC. Where its exception cannot be taken at once, it is a HardFault (B1.5.15).
void Core::supervisor_call() {
  if (nvic_.priority(exception::kSvCall) >= priority()) {
    refuse(Fault::Kind::SupervisorCall, pc());
    return;
  }
  cycle_ += spent_;
  spent_ = 0;
  enter(exception::kSvCall, next_pc_);
  next_pc_ = pc();
}

const char* words(Fault::Kind kind) {
  switch (kind) {
    case Fault::Kind::None:
      break;
    case Fault::Kind::Undefined:
      return "an undefined instruction";
    case Fault::Kind::Breakpoint:
      return "a breakpoint without a debugger";
    case Fault::Kind::NotThumb:
      return "a branch to an address that is not Thumb code";
    case Fault::Kind::Unaligned:
      return "an unaligned access";
    case Fault::Kind::NoRead:
      return "a read that is not allowed";
    case Fault::Kind::NoWrite:
      return "a write that is not allowed";
    case Fault::Kind::NoExecute:
      return "an instruction where execution is not allowed";
    case Fault::Kind::PrivateAccess:
      return "an unprivileged access to the core's registers";
    case Fault::Kind::Nothing:
      return "an access to an address where there is nothing";
    case Fault::Kind::SupervisorCall:
      return "a supervisor call that cannot be taken";
    case Fault::Kind::Return:
      return "an invalid return from an exception";
  }
  return "no fault";
}

}  // namespace hocket::rp2040
