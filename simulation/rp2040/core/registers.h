// The registers of one core (Armv6-M Architecture Reference Manual, B1.4).
#pragma once

#include <array>
#include <cstdint>
#include <utility>

namespace hocket::rp2040 {

/// N and Z are kept as the result that they are computed from, so that an instruction stores it
/// and computes nothing. Both may come from different values: MSR sets them separately.
struct Flags {
  uint32_t sign = 0;   // N is its bit 31
  uint32_t value = 1;  // Z means that it is 0
  bool carry = false;
  bool overflow = false;

  bool negative() const { return sign >> 31 != 0; }
  bool zero() const { return value == 0; }
  void result(uint32_t result) { sign = value = result; }

  uint32_t apsr() const {
    return (sign & 0x8000'0000u) | uint32_t{zero()} << 30 | uint32_t{carry} << 29 |
           uint32_t{overflow} << 28;
  }
  void set_apsr(uint32_t bits) {
    sign = bits;
    value = (bits >> 30 & 1) ^ 1;
    carry = (bits >> 29 & 1) != 0;
    overflow = (bits >> 28 & 1) != 0;
  }
};

struct Registers {
  static constexpr unsigned kStack = 13, kLink = 14, kPc = 15;

  std::array<uint32_t, 16> r{};
  Flags flags;
  uint32_t exception = 0;      // IPSR; 0: Thread mode
  bool thumb = true;           // EPSR.T
  bool masked = false;         // PRIMASK
  bool unprivileged = false;   // CONTROL.nPRIV
  bool process_stack = false;  // r[13] is PSP
  uint32_t other_stack = 0;    // the stack pointer that is not r[13]

  /// Handlers are always privileged.
  bool privileged() const { return exception != 0 || !unprivileged; }

  void use_stack(bool process) {
    if (process == process_stack) return;
    std::swap(r[kStack], other_stack);
    process_stack = process;
  }
  uint32_t& stack(bool process) { return process == process_stack ? r[kStack] : other_stack; }
  uint32_t stack(bool process) const { return process == process_stack ? r[kStack] : other_stack; }
  uint32_t xpsr() const { return flags.apsr() | uint32_t{thumb} << 24 | exception; }
};

}  // namespace hocket::rp2040
