// Raspberry Pi 3 (QEMU raspi3b) for the bare programs: where its devices are, how its cores start.
#pragma once

#include "drivers/bcm2835/gpio.h"
#include "drivers/bcm2835/interrupts.h"
#include "drivers/bcm2836/bcm2836.h"
#include "drivers/pl011/pl011.h"
#include "drivers/spin_table/spin_table.h"
#include "tests/drivers/bare/bare.h"

extern "C" void bare_secondary();

namespace bare {

inline constexpr uintptr_t kUart = 0x3f20'1000;

using Gpio = hocket::drivers::Bcm2835Gpio<0x3f20'0000>;
using Gpu = hocket::drivers::Bcm2835Interrupts<0x3f00'b200>;
using Controller = hocket::drivers::Bcm2836<0x4000'0000, Gpu>;
using Uart = hocket::drivers::Pl011<kUart>;
using Cores = hocket::drivers::SpinTable<0xd8>;

inline constexpr uint32_t kUartClockHz = 48'000'000;
inline constexpr Controller::Id kUartId = Controller::gpu(57);

inline void prepare_board() {
  hocket::drivers::connect_pl011_to_header<Gpio>();
}

inline bool start_core(CoreId core) {
  return Cores::start(core, reinterpret_cast<uintptr_t>(&bare_secondary));
}

}  // namespace bare
