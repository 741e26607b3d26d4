#include "simulation/rp2040/devices/pio_machine.h"

#include <algorithm>
#include <bit>

namespace hocket::rp2040 {
namespace {

constexpr uint32_t ones(unsigned count) {
  return count >= 32 ? UINT32_MAX : (1u << count) - 1;
}
constexpr uint32_t destination(uint32_t code) {
  return code >> 5 & 7;
}
constexpr uint32_t low(uint32_t code) {
  return code & 31;
}

// Destinations and sources of IN, OUT, MOV and SET.
enum : uint32_t {
  kPins = 0,
  kX = 1,
  kY = 2,
  kNull = 3,
  kPinDirections = 4,
  kPc = 5,
  kStatus = 5,
  kIsr = 6,
  kOsr = 7,
  kExecute = 7,
  kMoveExecute = 4,
};

}  // namespace

// Time.

/// The length of a tick. CLKDIV has 16 bits and 8 of fraction; 0 means 65536 (3.5.5).
uint64_t PioMachine::parts() const {
  const uint64_t whole = divider >> 16 != 0 ? divider >> 16 : 0x1'0000;
  return whole * 256 + (divider >> 8 & 0xff);
}

Cycles PioMachine::instant(uint64_t tick) const {
  return base_ + (tick * parts() + 255) / 256;
}

/// The first tick at or after now.
uint64_t PioMachine::tick_at(Cycles now) const {
  if (now <= base_) return 0;
  uint64_t tick = (now - base_) * 256 / parts();
  while (instant(tick) < now) ++tick;
  return tick;
}

void PioMachine::enable(bool on, Cycles now) {
  if (on && !enabled_) tick_ = tick_at(now);
  enabled_ = on;
  waits_ = false;
}

void PioMachine::restart() {
  in_ = 0;
  shifted_in_ = 0;
  shifted_out_ = 32;
  stalled_ = waits_ = false;
  forced_.reset();
}

void PioMachine::restart_clock(Cycles now) {
  base_ = now;
  tick_ = 0;
}

void PioMachine::wake(Cycles now) {
  if (!waits_) return;
  waits_ = false;
  tick_ = std::max(tick_, tick_at(now));
}

void PioMachine::set_shifting(uint32_t value) {
  const bool rejoined = ((shifting ^ value) >> 30) != 0;
  shifting = value;
  if (!rejoined) return;
  const bool to_transmit = (value >> 30 & 1) != 0, to_receive = value >> 31 != 0;
  transmit.set_depth(to_transmit ? 8 : to_receive ? 0 : 4);
  receive.set_depth(to_receive ? 8 : to_transmit ? 0 : 4);
}

/// A delay is counted from the tick in which the instruction is completed.
void PioMachine::step() {
  const uint16_t code = instruction();
  const bool was_forced = forced_.has_value();
  forced_.reset();
  next_pc_ = was_forced ? pc_ : pc_ == wrap_top() ? wrap_bottom() : (pc_ + 1) & 31;
  side_set(code);
  const bool refills = autopull() && code >> 13 != 3;
  if (execute(code) == Done::Stalled) {
    if (was_forced) forced_ = code;
    stalled_ = true;
    ++tick_;
    return;
  }
  stalled_ = waits_ = false;
  if (refills && empty_output()) refill();
  pc_ = next_pc_;
  const unsigned delay_bits = 5 - side_count();
  tick_ += 1 + (code >> 8 & ones(delay_bits));
}

void PioMachine::execute_now(uint16_t code) {
  next_pc_ = pc_;
  side_set(code);
  if (execute(code) == Done::Stalled) {
    forced_ = code;  // goes on at its clock
    return;
  }
  waits_ = stalled_ = false;
  pc_ = next_pc_;
}

// Pins.

void PioMachine::write_pins(uint32_t& word, uint32_t value, unsigned base, unsigned count) {
  const uint32_t mask = std::rotl(ones(count), static_cast<int>(base));
  word = (word & ~mask) | (std::rotl(value, static_cast<int>(base)) & mask);
}

uint32_t PioMachine::read_pins() const {
  return std::rotr(shared_.inputs, static_cast<int>(in_base()));
}

/// Also where the instruction stalls (3.5.1).
void PioMachine::side_set(uint16_t code) {
  const unsigned count = side_count();
  if (count == 0) return;
  const bool optional = (execution >> 30 & 1) != 0, directions = (execution >> 29 & 1) != 0;
  const uint32_t field = code >> 8 & 31;
  if (optional && (field & 16) == 0) return;
  const unsigned bits = optional ? count - 1 : count;
  const uint32_t value = (field & (optional ? 15 : 31)) >> (5 - count);
  write_pins(directions ? shared_.enable : shared_.level, value, pins >> 10 & 31, bits);
}

/// To a destination that OUT, MOV and SET have in common.
void PioMachine::put(uint32_t to, uint32_t value, unsigned base, unsigned count) {
  if (to == kPins) write_pins(shared_.level, value, base, count);
  if (to == kX) x_ = value;
  if (to == kY) y_ = value;
}

// Instructions (3.4).

PioMachine::Done PioMachine::execute(uint16_t code) {
  switch (code >> 13) {
    case 0:
      if (jumps(destination(code))) next_pc_ = low(code);
      return Done::Yes;
    case 1:
      return wait(code);
    case 2:
      return in(code);
    case 3:
      return out(code);
    case 4:
      return (code & 0x80) != 0 ? pull(code) : push(code);
    case 5:
      return move(code);
    case 6:
      return interrupt(code);
    default:
      set(code);
      return Done::Yes;
  }
}

bool PioMachine::jumps(uint32_t condition) {
  switch (condition) {
    case 1:
      return x_ == 0;
    case 2:
      return x_-- != 0;
    case 3:
      return y_ == 0;
    case 4:
      return y_-- != 0;
    case 5:
      return x_ != y_;
    case 6:
      return (shared_.inputs >> (execution >> 24 & 31) & 1) != 0;
    case 7:
      return !empty_output();
    default:
      return true;
  }
}

/// With the upper bit, the lower two are counted from the machine's own number.
unsigned PioMachine::flag_of(uint32_t code) const {
  const uint32_t index = low(code);
  return (index & 16) != 0 ? (index & 4) | ((index + index_) & 3) : index & 7;
}

PioMachine::Done PioMachine::wait(uint32_t code) {
  const uint32_t wanted = code >> 7 & 1, source = code >> 5 & 3;
  if (source == 2) {
    const uint32_t flag = 1u << flag_of(code);
    if (((shared_.flags & flag) != 0) == (wanted != 0)) {
      if (wanted != 0) shared_.flags &= ~flag;
      return Done::Yes;
    }
  } else {
    const unsigned pin = source == 0 ? low(code) : (low(code) + in_base()) & 31;
    if ((shared_.inputs >> pin & 1) == wanted) return Done::Yes;
  }
  waits_ = true;
  return Done::Stalled;
}

PioMachine::Done PioMachine::in(uint32_t code) {
  const unsigned count = bits_of(low(code));
  const bool full = autopush() && shifted_in_ + count >= push_threshold();
  if (full && receive.full()) {
    receive_stalled = waits_ = true;
    return Done::Stalled;
  }
  uint32_t value = 0;
  switch (destination(code)) {
    case kPins:
      value = read_pins();
      break;
    case kX:
      value = x_;
      break;
    case kY:
      value = y_;
      break;
    case kIsr:
      value = in_;
      break;
    case kOsr:
      value = out_;
      break;
    default:
      break;
  }
  value &= ones(count);
  const bool to_right = (shifting >> 18 & 1) != 0;
  if (count == 32) {
    in_ = value;
  } else {
    in_ = to_right ? in_ >> count | value << (32 - count) : in_ << count | value;
  }
  shifted_in_ = std::min(32u, shifted_in_ + count);
  if (full) {
    receive.push(in_);
    in_ = 0;
    shifted_in_ = 0;
  }
  return Done::Yes;
}

bool PioMachine::refill() {
  if (!transmit.pop(out_)) return false;
  shifted_out_ = 0;
  return true;
}

/// With nothing left it takes a tick to refill; at its end it refills within the tick (3.5.4.2).
PioMachine::Done PioMachine::out(uint32_t code) {
  if (autopull() && empty_output()) {
    if (!refill()) transmit_stalled = waits_ = true;
    return Done::Stalled;
  }
  const unsigned count = bits_of(low(code));
  uint32_t value = out_;
  if (count == 32) {
    out_ = 0;
  } else if ((shifting >> 19 & 1) != 0) {
    value = out_ & ones(count);
    out_ >>= count;
  } else {
    value = out_ >> (32 - count);
    out_ <<= count;
  }
  shifted_out_ = std::min(32u, shifted_out_ + count);
  switch (destination(code)) {
    case kPinDirections:
      write_pins(shared_.enable, value, out_base(), out_count());
      break;
    case kPc:
      next_pc_ = value & 31;
      break;
    case kIsr:
      in_ = value;
      shifted_in_ = count;
      break;
    case kExecute:
      forced_ = static_cast<uint16_t>(value);
      break;
    default:
      put(destination(code), value, out_base(), out_count());
  }
  if (autopull() && empty_output()) refill();
  return Done::Yes;
}

PioMachine::Done PioMachine::push(uint32_t code) {
  const bool if_full = (code >> 6 & 1) != 0, block = (code >> 5 & 1) != 0;
  if (if_full && shifted_in_ < push_threshold()) return Done::Yes;
  if (receive.full()) {
    receive_stalled = true;
    if (block) {
      waits_ = true;
      return Done::Stalled;
    }
  }
  receive.push(in_);
  in_ = 0;
  shifted_in_ = 0;
  return Done::Yes;
}

PioMachine::Done PioMachine::pull(uint32_t code) {
  const bool if_empty = (code >> 6 & 1) != 0, block = (code >> 5 & 1) != 0;
  if (if_empty && !empty_output()) return Done::Yes;
  if (autopull() && shifted_out_ == 0) return Done::Yes;  // full: nothing to do
  if (refill()) return Done::Yes;
  if (block) {
    transmit_stalled = waits_ = true;
    return Done::Stalled;
  }
  out_ = x_;
  shifted_out_ = 0;
  return Done::Yes;
}

/// All ones while a FIFO has fewer words than a number (EXECCTRL.STATUS_SEL, STATUS_N).
uint32_t PioMachine::status() const {
  const unsigned level = (execution >> 4 & 1) != 0 ? receive.level() : transmit.level();
  return level < (execution & 15) ? UINT32_MAX : 0;
}

PioMachine::Done PioMachine::move(uint32_t code) {
  uint32_t value = 0;
  switch (code & 7) {
    case kPins:
      value = read_pins();
      break;
    case kX:
      value = x_;
      break;
    case kY:
      value = y_;
      break;
    case kStatus:
      value = status();
      break;
    case kIsr:
      value = in_;
      break;
    case kOsr:
      value = out_;
      break;
    default:
      break;
  }
  const uint32_t operation = code >> 3 & 3;
  if (operation == 1) value = ~value;
  if (operation == 2) {
    uint32_t reversed = 0;
    for (unsigned i = 0; i < 32; ++i) reversed |= (value >> i & 1) << (31 - i);
    value = reversed;
  }
  switch (destination(code)) {
    case kMoveExecute:
      forced_ = static_cast<uint16_t>(value);
      break;
    case kPc:
      next_pc_ = value & 31;
      break;
    case kIsr:
      in_ = value;
      shifted_in_ = 0;
      break;
    case kOsr:
      out_ = value;
      shifted_out_ = 0;
      break;
    default:
      put(destination(code), value, out_base(), out_count());
  }
  return Done::Yes;
}

PioMachine::Done PioMachine::interrupt(uint32_t code) {
  const uint32_t flag = 1u << flag_of(code);
  const bool clears = (code >> 6 & 1) != 0, waits = (code >> 5 & 1) != 0;
  if (clears) {
    shared_.flags &= ~flag;
    return Done::Yes;
  }
  if (!stalled_) shared_.flags |= flag;
  if (!waits || (shared_.flags & flag) == 0) return Done::Yes;
  waits_ = true;
  return Done::Stalled;
}

void PioMachine::set(uint32_t code) {
  if (destination(code) == kPinDirections) {
    write_pins(shared_.enable, low(code), set_base(), set_count());
  } else {
    put(destination(code), low(code), set_base(), set_count());
  }
}

}  // namespace hocket::rp2040
