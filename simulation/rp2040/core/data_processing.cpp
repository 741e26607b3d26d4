// Instructions that compute: shifts, arithmetic, logic, extension (Armv6-M ARM, A6.7).
#include <bit>

#include "simulation/rp2040/core/instructions.h"

namespace hocket::rp2040 {
namespace {

// Fields of an instruction.
constexpr uint32_t low(uint32_t code) {
  return code & 7;
}
constexpr uint32_t second(uint32_t code) {
  return code >> 3 & 7;
}
constexpr uint32_t third(uint32_t code) {
  return code >> 6 & 7;
}
constexpr uint32_t upper(uint32_t code) {
  return code >> 8 & 7;
}
constexpr uint32_t byte(uint32_t code) {
  return code & 0xff;
}
constexpr uint32_t shift_of(uint32_t code) {
  return code >> 6 & 31;
}

}  // namespace

/// AddWithCarry (A2.2.1): the flags of a + b + carry. A subtraction adds the complement, with
/// carry.
inline uint32_t Instructions::sum(Core& core, uint32_t a, uint32_t b, uint32_t carry) {
  const uint64_t wide = uint64_t{a} + b + carry;
  const auto value = static_cast<uint32_t>(wide);
  Flags& f = flags(core);
  f.result(value);
  f.carry = wide >> 32 != 0;
  f.overflow = ((a ^ value) & (b ^ value)) >> 31 != 0;
  return value;
}

inline void Instructions::result(Core& core, uint32_t code, uint32_t value) {
  reg(core, low(code)) = value;
  flags(core).result(value);
}

// Shifts (A2.2.1): by 0 nothing is carried out, by 32 the last bit is, by more there is none left.

inline void Instructions::shifted_left(Core& core, uint32_t to, uint32_t value, uint32_t by) {
  if (by != 0) {
    flags(core).carry = by <= 32 && (value >> (32 - by) & 1) != 0;
    value = by < 32 ? value << by : 0;
  }
  reg(core, to) = value;
  flags(core).result(value);
}

inline void Instructions::shifted_right(Core& core, uint32_t to, uint32_t value, uint32_t by) {
  if (by != 0) {
    flags(core).carry = by <= 32 && (value >> (by - 1) & 1) != 0;
    value = by < 32 ? value >> by : 0;
  }
  reg(core, to) = value;
  flags(core).result(value);
}

inline void Instructions::shifted_right_signed(Core& core, uint32_t to, uint32_t value,
                                               uint32_t by) {
  const auto number = static_cast<int32_t>(value);
  if (by >= 32) {
    value = number < 0 ? UINT32_MAX : 0;
    flags(core).carry = number < 0;
  } else if (by != 0) {
    flags(core).carry = (value >> (by - 1) & 1) != 0;
    value = static_cast<uint32_t>(number >> by);
  }
  reg(core, to) = value;
  flags(core).result(value);
}

void Instructions::lsl_immediate(Core& core, uint32_t code) {
  shifted_left(core, low(code), reg(core, second(code)), shift_of(code));
}
/// For the shifts to the right 0 means 32.
void Instructions::lsr_immediate(Core& core, uint32_t code) {
  const uint32_t by = shift_of(code);
  shifted_right(core, low(code), reg(core, second(code)), by != 0 ? by : 32);
}
void Instructions::asr_immediate(Core& core, uint32_t code) {
  const uint32_t by = shift_of(code);
  shifted_right_signed(core, low(code), reg(core, second(code)), by != 0 ? by : 32);
}
void Instructions::lsl_register(Core& core, uint32_t code) {
  shifted_left(core, low(code), reg(core, low(code)), byte(reg(core, second(code))));
}
void Instructions::lsr_register(Core& core, uint32_t code) {
  shifted_right(core, low(code), reg(core, low(code)), byte(reg(core, second(code))));
}
void Instructions::asr_register(Core& core, uint32_t code) {
  shifted_right_signed(core, low(code), reg(core, low(code)), byte(reg(core, second(code))));
}
void Instructions::ror_register(Core& core, uint32_t code) {
  const uint32_t by = byte(reg(core, second(code)));
  const uint32_t value = std::rotr(reg(core, low(code)), static_cast<int>(by % 32));
  if (by != 0) flags(core).carry = value >> 31 != 0;
  result(core, code, value);
}

void Instructions::add_register(Core& core, uint32_t code) {
  reg(core, low(code)) = sum(core, reg(core, second(code)), reg(core, third(code)), 0);
}
void Instructions::sub_register(Core& core, uint32_t code) {
  reg(core, low(code)) = sum(core, reg(core, second(code)), ~reg(core, third(code)), 1);
}
void Instructions::add_immediate3(Core& core, uint32_t code) {
  reg(core, low(code)) = sum(core, reg(core, second(code)), third(code), 0);
}
void Instructions::sub_immediate3(Core& core, uint32_t code) {
  reg(core, low(code)) = sum(core, reg(core, second(code)), ~third(code), 1);
}
void Instructions::mov_immediate(Core& core, uint32_t code) {
  reg(core, upper(code)) = byte(code);
  flags(core).result(byte(code));
}
void Instructions::cmp_immediate(Core& core, uint32_t code) {
  sum(core, reg(core, upper(code)), ~byte(code), 1);
}
void Instructions::add_immediate8(Core& core, uint32_t code) {
  reg(core, upper(code)) = sum(core, reg(core, upper(code)), byte(code), 0);
}
void Instructions::sub_immediate8(Core& core, uint32_t code) {
  reg(core, upper(code)) = sum(core, reg(core, upper(code)), ~byte(code), 1);
}
void Instructions::adc_register(Core& core, uint32_t code) {
  const uint32_t carry = flags(core).carry ? 1 : 0;
  reg(core, low(code)) = sum(core, reg(core, low(code)), reg(core, second(code)), carry);
}
void Instructions::sbc_register(Core& core, uint32_t code) {
  const uint32_t carry = flags(core).carry ? 1 : 0;
  reg(core, low(code)) = sum(core, reg(core, low(code)), ~reg(core, second(code)), carry);
}
void Instructions::rsb_immediate(Core& core, uint32_t code) {
  reg(core, low(code)) = sum(core, ~reg(core, second(code)), 0, 1);
}
void Instructions::cmp_register(Core& core, uint32_t code) {
  sum(core, reg(core, low(code)), ~reg(core, second(code)), 1);
}
void Instructions::cmn_register(Core& core, uint32_t code) {
  sum(core, reg(core, low(code)), reg(core, second(code)), 0);
}

void Instructions::and_register(Core& core, uint32_t code) {
  result(core, code, reg(core, low(code)) & reg(core, second(code)));
}
void Instructions::eor_register(Core& core, uint32_t code) {
  result(core, code, reg(core, low(code)) ^ reg(core, second(code)));
}
void Instructions::tst_register(Core& core, uint32_t code) {
  flags(core).result(reg(core, low(code)) & reg(core, second(code)));
}
void Instructions::orr_register(Core& core, uint32_t code) {
  result(core, code, reg(core, low(code)) | reg(core, second(code)));
}
void Instructions::mul_register(Core& core, uint32_t code) {
  result(core, code, reg(core, low(code)) * reg(core, second(code)));
}
void Instructions::bic_register(Core& core, uint32_t code) {
  result(core, code, reg(core, low(code)) & ~reg(core, second(code)));
}
void Instructions::mvn_register(Core& core, uint32_t code) {
  result(core, code, ~reg(core, second(code)));
}

void Instructions::sxth(Core& core, uint32_t code) {
  const auto half = static_cast<int16_t>(reg(core, second(code)));
  reg(core, low(code)) = static_cast<uint32_t>(int32_t{half});
}
void Instructions::sxtb(Core& core, uint32_t code) {
  const auto number = static_cast<int8_t>(reg(core, second(code)));
  reg(core, low(code)) = static_cast<uint32_t>(int32_t{number});
}
void Instructions::uxth(Core& core, uint32_t code) {
  reg(core, low(code)) = reg(core, second(code)) & 0xffff;
}
void Instructions::uxtb(Core& core, uint32_t code) {
  reg(core, low(code)) = reg(core, second(code)) & 0xff;
}
void Instructions::rev(Core& core, uint32_t code) {
  reg(core, low(code)) = __builtin_bswap32(reg(core, second(code)));
}
void Instructions::rev16(Core& core, uint32_t code) {
  reg(core, low(code)) = std::rotl(__builtin_bswap32(reg(core, second(code))), 16);
}
void Instructions::revsh(Core& core, uint32_t code) {
  const uint16_t swapped = __builtin_bswap16(static_cast<uint16_t>(reg(core, second(code))));
  reg(core, low(code)) = static_cast<uint32_t>(int32_t{static_cast<int16_t>(swapped)});
}

void Instructions::adr(Core& core, uint32_t code) {
  reg(core, upper(code)) = ((core.pc() + 4) & ~3u) + 4 * byte(code);
}
void Instructions::add_sp_immediate8(Core& core, uint32_t code) {
  reg(core, upper(code)) = reg(core, Registers::kStack) + 4 * byte(code);
}
void Instructions::adjust_sp(Core& core, uint32_t code) {
  const uint32_t by = 4 * (code & 0x7f);
  reg(core, Registers::kStack) += (code & 0x80) != 0 ? -by : by;
}

}  // namespace hocket::rp2040
