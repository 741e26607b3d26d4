// Lets an image's clock begin as if it had run for long: its wraps come within a test's reach.
#pragma once

#include "boards/uno/simulator/mcu.h"

namespace hocket::uno {

/// Runs up to main and sets there how often the kernel's clock has overflowed (ports/avr8/clock.S):
/// what comes before main clears it. Throws BadFirmware when the image has no such clock.
inline void preset_clock(Mcu& mcu, const Firmware& firmware, uint32_t turns) {
  const auto main = firmware.address("main");
  const auto counter = firmware.address("hocket_clock_turns");
  if (!main || !counter) throw BadFirmware("it has no clock");
  while (mcu.pc() != *main && mcu.cycle() < 1'000'000) mcu.step(mcu.cycle() + 1);
  for (unsigned i = 0; i < 4; ++i) {
    mcu.set_data(static_cast<uint16_t>(*counter + i), static_cast<uint8_t>(turns >> 8 * i));
  }
}

}  // namespace hocket::uno
