// How the Uno makes a baud rate, and the least distance between two characters: for the image, and
// for the host that admits its loops (data sheet, chapter 20).
#pragma once

#include <stdint.h>

namespace hocket {
namespace uno {

constexpr uint32_t kSerialHz = 16'000'000;
/// Size of the transmit ring; it holds one byte less.
constexpr uint8_t kSerialBuffer = 64;

/// The highest rate that admission assumes if the rate is not known at compile time. begin() then
/// refuses higher rates.
constexpr uint32_t kHighestAnyRate = 115'200;

/// Rates that a divider makes to within 4 %. 230400 is off by 3.5 %. A larger error would not be
/// understood (the receiver samples the tenth bit in its middle: data sheet, 20.8.3).
constexpr bool is_serial_rate(uint32_t baud) {
  constexpr uint32_t kLeast = 300, kMost = kSerialHz / 8;
  if (baud - kLeast > kMost - kLeast) return false;
  // Every rate from 1/12.5 of the highest down can be made to within 4 %.
  constexpr uint32_t kOff = kMost / 25;
  if (baud <= 2 * kOff) return true;
  uint32_t off = kMost + baud / 2;
  while (off >= baud) off -= baud;
  return off >= baud / 2 ? off - baud / 2 <= kOff : baud / 2 - off <= kOff;
}

struct SerialRate {
  uint16_t divider;   // processor cycles for each sample of a bit
  bool double_speed;  // 8 samples for each bit instead of 16

  constexpr uint32_t bit_cycles() const { return (double_speed ? 8u : 16u) * divider; }
  /// The distance between two sent characters: start, 8 bits, stop.
  constexpr uint32_t sent_cycles() const { return 10 * bit_cycles(); }
  /// The least distance between two received characters, whatever the line does. The receiver
  /// accepts a start bit again after the middle samples of the stop bit, which end with the fifth
  /// of 8 or the ninth of 16 samples (20.8.3).
  constexpr uint32_t received_cycles() const {
    return 9 * bit_cycles() + (double_speed ? 5u : 9u) * divider;
  }
};

/// Only for a rate for which is_serial_rate() holds. Avoids a division, which would be linked for
/// this alone.
constexpr SerialRate serial_rate(uint32_t baud) {
  uint16_t divider = 0;  // rounded, at double speed
  for (auto left = static_cast<int32_t>(kSerialHz / 8 + baud / 2 - baud); left >= 0; ++divider) {
    left -= static_cast<int32_t>(baud);
  }
  if (divider <= 4096) return {divider, true};
  return {static_cast<uint16_t>(divider / 2), false};
}

/// The content of the rate register; the highest bit means double speed. kNoSerialSetting: the rate
/// cannot be made.
constexpr uint16_t kDoubleSpeed = 0x8000;
constexpr uint16_t kNoSerialSetting = 0xffff;
constexpr uint16_t serial_setting(SerialRate rate) {
  return static_cast<uint16_t>((rate.divider - 1) | (rate.double_speed ? kDoubleSpeed : 0));
}
/// The same for a rate that is known at compile time; the compiler makes the division.
constexpr uint16_t serial_setting(unsigned long baud) {
  if (baud > 0xffffffff || !is_serial_rate(static_cast<uint32_t>(baud))) return kNoSerialSetting;
  const auto divider = static_cast<uint16_t>((kSerialHz / 8 + baud / 2) / baud);
  if (divider <= 4096) return serial_setting(SerialRate{divider, true});
  return serial_setting(SerialRate{static_cast<uint16_t>(divider / 2), false});
}

/// The same for a rate that is known at run time: one loop instead of a division, which would be
/// linked for this alone.
constexpr uint16_t serial_setting_at_run_time(uint32_t baud) {
  constexpr uint32_t kLeast = 300, kMost = kSerialHz / 8, kOff = kMost / 25;
  if (baud - kLeast > kMost - kLeast) return kNoSerialSetting;
  const uint32_t half = baud / 2;
  uint32_t left = kMost + half;
  uint16_t divider = 0;  // rounded, at double speed
  for (; left >= baud; ++divider) left -= baud;
  const uint32_t off = left >= half ? left - half : half - left;
  if (off > kOff) return kNoSerialSetting;
  if (divider <= 4096) return static_cast<uint16_t>((divider - 1) | kDoubleSpeed);
  return static_cast<uint16_t>(divider / 2 - 1);
}

/// Whether a character in this format (UCSR0C) takes as long as one in 8N1, or longer: one parity
/// bit for a data bit. The distances above hold for it.
constexpr bool is_whole_frame(uint16_t format) {
  return ((format >> 1) & 3) + ((format & 0x20) != 0 ? 1 : 0) >= 3;
}
/// The highest rate at which characters of all other formats are as far apart as those in 8N1 at
/// kHighestAnyRate. The shortest, 5N1, has 6.6 bits for 9.6.
constexpr uint32_t kHighestShortRate = kHighestAnyRate / 3 * 2;

/// Opens a port with a setting, in 8N1 (serial.cpp, serial_ports.cpp).
#ifdef HOCKET_ONE_SERIAL_PORT
void serial_open(uint16_t setting);
inline void serial_open(unsigned, uint16_t setting) {
  serial_open(setting);
}
#else
void serial_open(unsigned port, uint16_t setting);
#endif
/// Sets the format: what goes into the port's UCSRC.
#ifdef HOCKET_ONE_SERIAL_PORT
void serial_format(uint8_t format);
inline void serial_format(unsigned, uint8_t format) {
  serial_format(format);
}
#else
void serial_format(unsigned port, uint8_t format);
#endif

}  // namespace uno
}  // namespace hocket
