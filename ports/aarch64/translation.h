// The registers and table entries of the MMU as they are used here: 4 KiB pages, 39 bits of address
// in each half, three kinds of entries and nine kinds of access. One regime is for EL1 and EL0,
// another for a kernel at EL3, whose entries have no privilege levels.
//
//   TTBR0   0x0000'0000'0000'0000 … 0x0000'007f'ffff'ffff    Half::Low    the sketch
//   TTBR1   0xffff'ff80'0000'0000 … 0xffff'ffff'ffff'ffff    Half::High   the kernel
//
// EL3 has only TTBR0, with a level 0 of two entries: the sketch at the same addresses, and the
// kernel from 0x0000'0080'0000'0000 on.
//
//   address 38      30 29      21 20      12 11        0
//          │ level 1  │ level 2  │ level 3  │ in the page │     9 bits each: 512 entries of 8 bytes
//
// Invariant: no kind of access is both writable and executable, at any level.
//
// Source: Arm Architecture Reference Manual DDI 0487, chapter D8, by its sections' names because
// their numbers differ from issue to issue: "Translation process" (which half, which level begins),
// "Translation table descriptor formats", "Memory access control", "Memory region attributes"; the
// registers MAIR_EL1 and TCR_EL1 in chapter D24.
#pragma once

#include "kernel/base/types.h"

namespace hocket::aarch64 {

enum class Half : uint8_t { Low, High };

/// The use of a mapping. "Kernel" is EL1, "sketch" is EL0.
enum class Access : uint8_t {
  KernelText,  // kernel reads and executes
  KernelRead,  // kernel reads
  KernelData,  // kernel reads and writes
  Device,      // kernel reads and writes registers
  Beside,      // kernel at EL3 reads and writes memory of the non-secure state
  UserText,    // sketch reads and executes, kernel reads
  UserRead,    // both read
  UserData,    // both read and write
  UserDevice,  // both read and write registers
};
inline constexpr unsigned kAccessCount = 9;

// --- Memory types: MAIR_EL1 ("Memory region attributes") ---

inline constexpr unsigned kDeviceIndex = 0;
inline constexpr unsigned kNormalIndex = 1;
inline constexpr uint64_t kDeviceNGnRE = 0b0000'0100;
inline constexpr uint64_t kNormalWriteBack = 0b1111'1111;  // inner and outer, allocated on both
inline constexpr uint64_t kMair = kDeviceNGnRE << (8 * kDeviceIndex) | kNormalWriteBack
                                                                           << (8 * kNormalIndex);

// --- Translation control: TCR_EL1 ---

inline constexpr unsigned kAddressBits = 39;
inline constexpr unsigned kPhysicalBits = 40;  // the most that a Cortex-A53 has

namespace tcr {
inline constexpr uint64_t kSize = 64 - kAddressBits;  // T0SZ, T1SZ
inline constexpr uint64_t kWriteBackAllocate = 0b01;  // of table walks: IRGN, ORGN
inline constexpr uint64_t kInnerShareable = 0b11;     // SH
inline constexpr uint64_t kHalf =
    kSize | kWriteBackAllocate << 8 | kWriteBackAllocate << 10 | kInnerShareable << 12;
inline constexpr uint64_t kPages4KiB0 = uint64_t{0b00} << 14;       // TG0
inline constexpr uint64_t kPages4KiB1 = uint64_t{0b10} << 30;       // TG1 counts differently
inline constexpr uint64_t kPhysical40Bits = uint64_t{0b010} << 32;  // IPS
}  // namespace tcr
/// Both halves on; ASID from TTBR0, 8 bits; top byte is part of the address.
inline constexpr uint64_t kTcrTwoHalves =
    tcr::kHalf | tcr::kPages4KiB0 | tcr::kHalf << 16 | tcr::kPages4KiB1 | tcr::kPhysical40Bits;

/// TCR_EL3: one range of 40 bits, which begins at level 0; no ASID. Bits 31 and 23 are ones.
inline constexpr uint64_t kTcrOneRange = (tcr::kHalf - 1) | tcr::kPages4KiB0 |
                                         uint64_t{0b010} << 16 | uint64_t{1} << 31 |
                                         uint64_t{1} << 23;

// --- Entries ("Translation table descriptor formats") ---

namespace entry {
inline constexpr uint64_t kValid = 1;
inline constexpr uint64_t kTable = 0b11;  // at levels 1 and 2
inline constexpr uint64_t kBlock = 0b01;  // at level 2: 2 MiB
inline constexpr uint64_t kPage = 0b11;   // at level 3
inline constexpr uint64_t kKindMask = 0b11;
inline constexpr uint64_t kAddressMask = 0x0000'ffff'ffff'f000;
inline constexpr uint64_t kNonSecure = uint64_t{1} << 5;  // NS: non-secure addresses
inline constexpr uint64_t kForUser = uint64_t{1} << 6;    // AP[1]: EL0 too; always one at EL3
inline constexpr uint64_t kReadOnly = uint64_t{1} << 7;   // AP[2]
inline constexpr uint64_t kInnerShareable = uint64_t{0b11} << 8;
inline constexpr uint64_t kAccessed = uint64_t{1} << 10;     // AF: no fault at the first access
inline constexpr uint64_t kNotGlobal = uint64_t{1} << 11;    // belongs to an ASID
inline constexpr uint64_t kKernelNever = uint64_t{1} << 53;  // PXN: EL1 does not execute
inline constexpr uint64_t kUserNever = uint64_t{1} << 54;    // UXN: EL0 does not execute; XN at EL3
}  // namespace entry

constexpr bool for_user(Access access) {
  return access >= Access::UserText;
}
constexpr bool is_device(Access access) {
  return access == Access::Device || access == Access::UserDevice;
}
constexpr bool writable(Access access) {
  return access == Access::KernelData || access == Access::UserData || access == Access::Beside ||
         is_device(access);
}

/// The attributes of a block's or page's entry. EL1 never executes memory that EL0 may write
/// ("Memory access control"); the bit is set all the same.
constexpr uint64_t attributes(Access access) {
  uint64_t bits = entry::kAccessed;
  bits |= uint64_t{is_device(access) ? kDeviceIndex : kNormalIndex} << 2;
  if (!is_device(access)) bits |= entry::kInnerShareable;
  if (for_user(access)) bits |= entry::kForUser | entry::kNotGlobal;
  if (!writable(access)) bits |= entry::kReadOnly;
  if (access != Access::KernelText) bits |= entry::kKernelNever;
  if (access != Access::UserText) bits |= entry::kUserNever;
  if (access == Access::Beside) bits |= entry::kNonSecure;
  return bits;
}

/// The owner of a set of tables, and the begin of its addresses.
struct Regime {
  uint64_t base;
  bool one_privilege;  // EL3: entries have no privilege level and no ASID

  constexpr uint64_t attributes(Access access) const {
    const uint64_t bits = aarch64::attributes(access);
    if (!one_privilege) return bits;
    constexpr uint64_t kOfTwo = entry::kKernelNever | entry::kUserNever | entry::kNotGlobal;
    const uint64_t never = (bits & entry::kKernelNever) != 0 ? entry::kUserNever : 0;
    return (bits & ~kOfTwo) | entry::kForUser | never;
  }
};
constexpr Regime regime_of(Half half) {
  return {half == Half::Low ? 0 : 0 - (uint64_t{1} << kAddressBits), false};
}
/// The kernel's upper half at EL3.
inline constexpr Regime kUpperAtEl3{uint64_t{1} << kAddressBits, true};

namespace detail {
constexpr bool nothing_writable_is_executable() {
  for (unsigned i = 0; i < kAccessCount; ++i) {
    const uint64_t bits = attributes(static_cast<Access>(i));
    const bool executable = (bits & entry::kKernelNever) == 0 || (bits & entry::kUserNever) == 0;
    if ((bits & entry::kReadOnly) == 0 && executable) return false;
  }
  return true;
}
}  // namespace detail
static_assert(detail::nothing_writable_is_executable());

}  // namespace hocket::aarch64
