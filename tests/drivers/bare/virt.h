// QEMU virt for the bare programs: where its devices are, how its cores start.
#pragma once

#include "drivers/pl011/pl011.h"
#include "drivers/psci/psci.h"
#include "tests/drivers/bare/bare.h"

#ifdef BARE_GIC_V2
#include "drivers/gic_v2/gic_v2.h"
#else
#include "drivers/gic_v3/gic_v3.h"
#endif

extern "C" void bare_secondary();

namespace bare {

inline constexpr uintptr_t kUart = 0x0900'0000;

#ifdef BARE_GIC_V2
using Controller =
    hocket::drivers::GicV2<0x0800'0000, 0x0801'0000, hocket::drivers::Group1Registers::Shared>;
#else
using Controller = hocket::drivers::GicV3<0x0800'0000, 0x080a'0000>;
#endif
using Uart = hocket::drivers::Pl011<kUart>;
using Psci = hocket::drivers::Psci<hocket::drivers::HvcConduit>;

inline constexpr uint32_t kUartClockHz = 24'000'000;
inline constexpr Controller::Id kUartId = 33;
inline constexpr Controller::Id kGpioId = 39;
inline constexpr uintptr_t kGpio = 0x0903'0000;

inline void prepare_board() {}

inline bool start_core(CoreId core) {
  return Psci::cpu_on(core, reinterpret_cast<uintptr_t>(&bare_secondary), 0) ==
         Psci::Result::Success;
}

}  // namespace bare
