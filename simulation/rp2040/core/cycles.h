// What instructions cost: the one table of cycles, for the emulator and for analyses.
//
// Sources: Cortex-M0+ Technical Reference Manual (Arm DDI 0484C), table 3-1, for a core with the
// single-cycle multiplier and zero wait states; RP2040 datasheet, 2.1 (bus fabric) and 2.3.1 (SIO).
#pragma once

#include <cstdint>

namespace hocket::rp2040 {

using Cycles = uint64_t;
inline constexpr Cycles kNever = UINT64_MAX;
inline constexpr uint32_t kCyclesPerSecond = 125'000'000;
inline constexpr uint32_t kCyclesPerMicrosecond = kCyclesPerSecond / 1'000'000;

/// A cycle is 8 ns.
constexpr uint64_t nanos(Cycles cycles) {
  return cycles * (1'000'000'000 / kCyclesPerSecond);
}
/// The first cycle that begins at this instant or later.
constexpr Cycles cycles_at(uint64_t instant) {
  constexpr uint64_t kNanos = 1'000'000'000 / kCyclesPerSecond;
  return instant / kNanos + (instant % kNanos != 0 ? 1 : 0);
}

/// Table 3-1. Multiples ("1+N") are written with the cost of one register.
namespace cost {
inline constexpr uint32_t kInstruction = 1;  // what every row begins with; all of it for most
inline constexpr uint32_t kTaken = 1;        // besides: B taken, BX, BLX, a write to pc
inline constexpr uint32_t kLink = 2;         // besides: BL
inline constexpr uint32_t kSpecial = 2;      // besides: MRS, MSR
inline constexpr uint32_t kBarrier = 2;      // besides: DMB, DSB, ISB
inline constexpr uint32_t kWait = 1;         // besides: WFI, WFE
inline constexpr uint32_t kTransfer = 1;     // besides, for each register: LDR, STR, LDM, STM, …
inline constexpr uint32_t kPopPc = 2;        // besides: POP with pc, which is 3+N
}  // namespace cost

/// What table 3-1 does not say, as far as it is known. No source states the figures marked
/// "assumed": a real board has to measure them.
struct Timing {
  /// From the end of the interrupted instruction to the first one of the handler (TRM, 3.6.1).
  uint32_t entry = 15;
  /// Besides the returning BX or POP, to the first instruction of the interrupted code. Assumed.
  uint32_t exit = 10;
  /// Of LDR and STR of the single-cycle port (SIO), besides kInstruction (datasheet, 2.3.1).
  uint32_t port_transfer = 0;
  /// Of LDR and STR at the APB bridge, besides kInstruction (datasheet, 2.1.3). The load agrees
  /// with a published measurement; the store is assumed.
  uint32_t apb_load = 3;
  uint32_t apb_store = 4;
};

}  // namespace hocket::rp2040
