// Starts an image's clock as if it had run for long, so that tests can reach its wraps.
#pragma once

#include "simulation/avr/mcu.h"

namespace hocket::avr {

/// Runs up to main and sets there how often the kernel's clock has overflowed (ports/avr8/clock.S),
/// and the milliseconds that are counted beside (arduino/cores/avr8/millis.S), where they are: what
/// comes before main clears them. Throws BadFirmware when the image has no such clock.
inline void preset_clock(Mcu& mcu, const uno::Firmware& firmware, uint32_t turns) {
  const auto main = firmware.address("main");
  const auto counter = firmware.address("hocket_clock_turns");
  const auto milliseconds = firmware.address("hocket_clock_milliseconds");
  if (!main || !counter) throw uno::BadFirmware("it has no clock");
  while (mcu.pc() != *main && mcu.cycle() < 1'000'000) mcu.step(mcu.cycle() + 1);
  const auto set = [&mcu](uint32_t address, uint32_t value, unsigned bytes) {
    for (unsigned i = 0; i < bytes; ++i) {
      mcu.set_data(static_cast<uint16_t>(address + i), static_cast<uint8_t>(value >> 8 * i));
    }
  };
  set(*counter, turns, 4);
  if (!milliseconds) return;
  const uint64_t ticks = uint64_t{turns} << 16;
  set(*milliseconds, static_cast<uint32_t>(ticks / 2000), 4);
  set(*milliseconds + 4, static_cast<uint32_t>(ticks % 2000 / 16), 1);
}

}  // namespace hocket::avr
