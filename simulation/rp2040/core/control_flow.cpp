// Branches, calls, hints, special registers and what is undefined (Armv6-M ARM, A6.7, B4.2).
#include "simulation/rp2040/core/access.h"
#include "simulation/rp2040/core/instructions.h"

namespace hocket::rp2040 {
namespace {

constexpr uint32_t kPc = Registers::kPc;

constexpr uint32_t any_destination(uint32_t code) {
  return (code & 7) | (code >> 4 & 8);
}
constexpr uint32_t any_source(uint32_t code) {
  return code >> 3 & 15;
}
constexpr uint32_t sign_extended(uint32_t value, unsigned bits) {
  const uint32_t sign = 1u << (bits - 1);
  return (value ^ sign) - sign;
}

}  // namespace

// With pc as an operand its value is the instruction's address + 4.

void Instructions::add_high(Core& core, uint32_t code) {
  const uint32_t to = any_destination(code);
  const auto value = [&](uint32_t number) { return reg(core, number) + (number == kPc ? 4 : 0); };
  const uint32_t sum = value(to) + value(any_source(code));
  if (to == kPc) {
    core.next_pc_ = sum & ~1u;
    core.spent_ += cost::kTaken;
  } else {
    reg(core, to) = to == Registers::kStack ? sum & ~3u : sum;
  }
}

void Instructions::cmp_high(Core& core, uint32_t code) {
  const auto value = [&](uint32_t number) { return reg(core, number) + (number == kPc ? 4 : 0); };
  const uint32_t a = value(any_destination(code)), b = value(any_source(code));
  const uint32_t difference = a - b;
  Flags& f = flags(core);
  f.result(difference);
  f.carry = a >= b;
  f.overflow = ((a ^ b) & (a ^ difference)) >> 31 != 0;
}

void Instructions::mov_high(Core& core, uint32_t code) {
  const uint32_t to = any_destination(code), from = any_source(code);
  const uint32_t value = reg(core, from) + (from == kPc ? 4 : 0);
  if (to == kPc) {
    core.next_pc_ = value & ~1u;
    core.spent_ += cost::kTaken;
  } else {
    reg(core, to) = to == Registers::kStack ? value & ~3u : value;
  }
}

/// BX and BLX.
void Instructions::branch_exchange(Core& core, uint32_t code) {
  const uint32_t from = any_source(code);
  const uint32_t target = reg(core, from) + (from == kPc ? 4 : 0);
  core.spent_ += cost::kTaken;
  if ((code & 0x80) == 0) {
    core.branch_exchange(target);
    return;
  }
  reg(core, Registers::kLink) = core.next_pc_ | 1;
  core.next_pc_ = target & ~1u;
  core.registers_.thumb = (target & 1) != 0;
  core.attention_ = core.attention_ || !core.registers_.thumb;
}

bool Instructions::condition(const Flags& f, uint32_t number) {
  bool holds = false;
  switch (number >> 1) {
    case 0:
      holds = f.zero();
      break;
    case 1:
      holds = f.carry;
      break;
    case 2:
      holds = f.negative();
      break;
    case 3:
      holds = f.overflow;
      break;
    case 4:
      holds = f.carry && !f.zero();
      break;
    case 5:
      holds = f.negative() == f.overflow;
      break;
    default:
      holds = f.negative() == f.overflow && !f.zero();
      break;
  }
  return holds != ((number & 1) != 0);
}

void Instructions::branch_if(Core& core, uint32_t code) {
  if (!condition(flags(core), code >> 8 & 15)) return;
  core.next_pc_ = core.pc() + 4 + 2 * sign_extended(code & 0xff, 8);
  core.spent_ += cost::kTaken;
}

void Instructions::branch(Core& core, uint32_t code) {
  core.next_pc_ = core.pc() + 4 + 2 * sign_extended(code & 0x7ff, 11);
  core.spent_ += cost::kTaken;
}

void Instructions::svc(Core& core, uint32_t) {
  core.supervisor_call();
}

void Instructions::cps(Core& core, uint32_t code) {
  if (!core.registers_.privileged()) return;
  core.registers_.masked = (code & 0x10) != 0;
  core.attention_ = true;
}

/// In the boot ROM it stands for a function that this computer performs.
void Instructions::bkpt(Core& core, uint32_t code) {
  if (core.pc() < kRomSize && core.bus_.call_rom(code & 0xff, core.index_)) return;
  core.refuse(Fault::Kind::Breakpoint, core.pc());
}

void Instructions::hint(Core& core, uint32_t code) {
  enum : uint32_t { kWfe = 2, kWfi = 3, kSev = 4 };
  if ((code & 15) != 0) {
    undefined(core, code);
    return;
  }
  switch (code >> 4 & 15) {
    case kWfe:
      core.wait_for_event();
      break;
    case kWfi:
      core.wait_for_interrupt();
      break;
    case kSev:
      core.bus_.send_event({core.cycle_ + core.spent_, core.index_});
      break;
    default:
      break;  // NOP, YIELD, and hints of later architectures
  }
}

/// BL: two offsets' upper bits are XORed with the sign (A6.7.13).
void Instructions::call(Core& core, uint32_t first, uint32_t second) {
  const uint32_t sign = first >> 10 & 1;
  const uint32_t high = (second >> 13 & 1) ^ sign ^ 1, low = (second >> 11 & 1) ^ sign ^ 1;
  const uint32_t offset =
      sign << 24 | high << 23 | low << 22 | (first & 0x3ff) << 12 | (second & 0x7ff) << 1;
  reg(core, Registers::kLink) = (core.pc() + 4) | 1;
  core.next_pc_ = core.pc() + 4 + sign_extended(offset, 25);
  core.spent_ += cost::kLink;
}

/// BL, MSR, MRS and the barriers (A5.3.1).
void Instructions::wide(Core& core, uint32_t first) {
  uint32_t second = 0;
  if (!core.fetch(core.pc() + 2, second)) return;
  core.next_pc_ = core.pc() + 4;
  const uint32_t special = second & 0xff, number = second >> 8 & 15;
  if ((second & 0xd000) == 0xd000) {
    call(core, first, second);
  } else if (first == 0xf3bf && second >> 8 == 0x8f && (second >> 4 & 15) >= 4 &&
             (second >> 4 & 15) <= 6) {
    core.spent_ += cost::kBarrier;
  } else if (first == 0xf3ef && second >> 12 == 8 && number != 13 && number != kPc) {
    reg(core, number) = core.read_special(special);
    core.spent_ += cost::kSpecial;
  } else if ((first & 0xfff0) == 0xf380 && second >> 8 == 0x88 && (first & 15) != 13 &&
             (first & 15) != kPc) {
    core.write_special(special, reg(core, first & 15));
    core.spent_ += cost::kSpecial;
  } else {
    undefined(core, first);
  }
}

void Instructions::undefined(Core& core, uint32_t) {
  core.refuse(Fault::Kind::Undefined, core.pc());
}

}  // namespace hocket::rp2040
