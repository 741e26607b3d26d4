#include "simulation/rp2040/devices/pio.h"

#include <algorithm>

namespace hocket::rp2040 {
namespace {

// Registers (datasheet, 3.7).
enum : uint32_t {
  kControl = 0x000,
  kFifoStatus = 0x004,
  kDebug = 0x008,
  kFifoLevels = 0x00c,
  kTransmit0 = 0x010,
  kReceive0 = 0x020,
  kFlags = 0x030,
  kForceFlags = 0x034,
  kBypass = 0x038,
  kOutputLevels = 0x03c,
  kOutputEnables = 0x040,
  kConfiguration = 0x044,
  kProgram = 0x048,
  kMachine0 = 0x0c8,
  kRaw = 0x128,
  kInterrupt0 = 0x12c,
  kEnd = 0x144,
};
enum : uint32_t {
  kDivider = 0x00,
  kExecution = 0x04,
  kShifting = 0x08,
  kAddress = 0x0c,
  kInstruction = 0x10,
  kPinControl = 0x14,
  kMachineSize = 0x18,
};
constexpr uint32_t kInlineEnable = 1u << 18, kSticky = 1u << 17;
constexpr uint32_t kFourMachines32Instructions = 32u << 16 | 4u << 8 | 4;

constexpr bool between(uint32_t offset, uint32_t begin, uint32_t end) {
  return offset >= begin && offset < end;
}

}  // namespace

Cycles Pio::next() const {
  Cycles first = kNever;
  for (const PioMachine& machine : machines_) first = std::min(first, machine.next());
  return first;
}

/// In the order of time; in one cycle, in that of the machines.
void Pio::advance(Cycles now) {
  for (Cycles at = next(); at <= now; at = next()) {
    const uint32_t flags = shared_.flags;
    for (PioMachine& machine : machines_) {
      if (machine.next() == at) machine.step();
    }
    if (shared_.flags != flags) {
      for (PioMachine& machine : machines_) machine.wake(at + 1);
    }
    changed(at);
  }
}

void Pio::inputs_changed(Cycles now) {
  if (shared_.inputs == pins_.inputs()) return;
  shared_.inputs = pins_.inputs();
  for (PioMachine& machine : machines_) machine.wake(now);
}

/// After anything that may have changed outputs or interrupts.
void Pio::changed(Cycles now) {
  pins_.set_signal(function_, {shared_.level, shared_.enable}, now);
  for (unsigned i = 0; i < interrupts_.size(); ++i) {
    lines_.set(line_ + i, ((raw() & interrupts_[i].enabled) | interrupts_[i].forced) != 0);
  }
}

uint32_t Pio::fifo_status() const {
  uint32_t status = 0;
  for (unsigned i = 0; i < kMachines; ++i) {
    const PioMachine& m = machines_[i];
    status |= (m.receive.full() ? 1u << i : 0) | (m.receive.empty() ? 1u << (8 + i) : 0) |
              (m.transmit.full() ? 1u << (16 + i) : 0) | (m.transmit.empty() ? 1u << (24 + i) : 0);
  }
  return status;
}

uint32_t Pio::fifo_levels() const {
  uint32_t levels = 0;
  for (unsigned i = 0; i < kMachines; ++i) {
    levels |= machines_[i].transmit.level() << 8 * i | machines_[i].receive.level() << (8 * i + 4);
  }
  return levels;
}

uint32_t Pio::debug() const {
  uint32_t bits = overflowed_ << 16 | underflowed_ << 8;
  for (unsigned i = 0; i < kMachines; ++i) {
    bits |= (machines_[i].transmit_stalled ? 1u << (24 + i) : 0) |
            (machines_[i].receive_stalled ? 1u << i : 0);
  }
  return bits;
}

void Pio::clear_debug(uint32_t bits) {
  overflowed_ &= ~(bits >> 16);
  underflowed_ &= ~(bits >> 8);
  for (unsigned i = 0; i < kMachines; ++i) {
    if ((bits >> (24 + i) & 1) != 0) machines_[i].transmit_stalled = false;
    if ((bits >> i & 1) != 0) machines_[i].receive_stalled = false;
  }
}

/// INTR: words received, room to send, and the first four flags.
uint32_t Pio::raw() const {
  uint32_t bits = (shared_.flags & 0xf) << 8;
  for (unsigned i = 0; i < kMachines; ++i) {
    bits |= (machines_[i].receive.empty() ? 0 : 1u << i) |
            (machines_[i].transmit.full() ? 0 : 1u << (4 + i));
  }
  return bits;
}

uint32_t Pio::read_machine(const PioMachine& machine, uint32_t offset) const {
  switch (offset) {
    case kDivider:
      return machine.divider;
    case kExecution:
      return machine.execution;
    case kShifting:
      return machine.shifting;
    case kAddress:
      return machine.pc();
    case kInstruction:
      return machine.instruction();
    default:
      return machine.pins;
  }
}

uint32_t Pio::read(uint32_t offset, Access access) {
  if (between(offset, kTransmit0, kReceive0)) return 0;  // write only
  if (between(offset, kReceive0, kFlags)) {
    const unsigned index = (offset - kReceive0) / 4;
    uint32_t word = 0;
    if (!machines_[index].receive.pop(word)) underflowed_ |= 1u << index;
    machines_[index].wake(access.now);
    changed(access.now);
    return word;
  }
  if (between(offset, kProgram, kMachine0)) return 0;  // write only
  if (between(offset, kMachine0, kRaw)) {
    return read_machine(machines_[(offset - kMachine0) / kMachineSize],
                        (offset - kMachine0) % kMachineSize);
  }
  if (between(offset, kInterrupt0, kEnd)) {
    const uint32_t which = (offset - kInterrupt0) / 4;
    const Interrupt& own = interrupts_[which / 3];
    if (which % 3 == 0) return own.enabled;
    return which % 3 == 1 ? own.forced : (raw() & own.enabled) | own.forced;
  }
  switch (offset) {
    case kControl: {
      uint32_t enabled = 0;
      for (unsigned i = 0; i < kMachines; ++i) enabled |= machines_[i].enabled() ? 1u << i : 0;
      return enabled;
    }
    case kFifoStatus:
      return fifo_status();
    case kDebug:
      return debug();
    case kFifoLevels:
      return fifo_levels();
    case kFlags:
      return shared_.flags;
    case kForceFlags:
      return 0;
    case kBypass:
      return bypass_;
    case kOutputLevels:
      return shared_.level;
    case kOutputEnables:
      return shared_.enable;
    case kConfiguration:
      return kFourMachines32Instructions;
    case kRaw:
      return raw();
    default:
      no_register(offset);
  }
}

void Pio::set_control(uint32_t value, Cycles now) {
  for (unsigned i = 0; i < kMachines; ++i) {
    PioMachine& machine = machines_[i];
    if ((value >> (4 + i) & 1) != 0) machine.restart();
    if ((value >> (8 + i) & 1) != 0) machine.restart_clock(now);
    machine.enable((value >> i & 1) != 0, now);
  }
}

void Pio::write_machine(unsigned index, uint32_t offset, Written value) {
  PioMachine& machine = machines_[index];
  switch (offset) {
    case kDivider:
      machine.divider = value.over(machine.divider);
      break;
    case kExecution:
      machine.execution = value.over(machine.execution);
      if ((machine.execution & (kInlineEnable | kSticky)) != 0) {
        not_modelled(kMachine0 + index * kMachineSize + offset, "OUT with an enable bit");
      }
      break;
    case kShifting:
      machine.set_shifting(value.over(machine.shifting));
      break;
    case kAddress:
      break;  // read only
    case kInstruction:
      machine.execute_now(static_cast<uint16_t>(value.bits));
      break;
    default:
      machine.pins = value.over(machine.pins);
  }
}

void Pio::write(uint32_t offset, Written value, Access access) {
  if (between(offset, kTransmit0, kReceive0)) {
    const unsigned index = (offset - kTransmit0) / 4;
    if (!machines_[index].transmit.push(value.bits)) overflowed_ |= 1u << index;
  } else if (between(offset, kProgram, kMachine0)) {
    shared_.program[(offset - kProgram) / 4] = static_cast<uint16_t>(value.bits);
  } else if (between(offset, kMachine0, kRaw)) {
    write_machine((offset - kMachine0) / kMachineSize, (offset - kMachine0) % kMachineSize, value);
  } else if (between(offset, kInterrupt0, kEnd)) {
    const uint32_t which = (offset - kInterrupt0) / 4;
    Interrupt& own = interrupts_[which / 3];
    if (which % 3 == 0) own.enabled = value.over(own.enabled) & 0xfff;
    if (which % 3 == 1) own.forced = value.over(own.forced) & 0xfff;
  } else if (offset == kControl) {
    set_control(value.over(read(kControl, access)), access.now);
  } else if (offset == kDebug) {
    clear_debug(value.bits);
  } else if (offset == kFlags) {
    shared_.flags &= ~value.bits;
  } else if (offset == kForceFlags) {
    shared_.flags |= value.bits & 0xff;
  } else if (offset == kBypass) {
    bypass_ = value.over(bypass_);
  } else if (offset >= kEnd) {
    no_register(offset);
  }
  for (PioMachine& machine : machines_) machine.wake(access.now);
  changed(access.now);
}

}  // namespace hocket::rp2040
