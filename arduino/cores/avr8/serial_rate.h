// How the Uno makes a rate of Serial, and how soon one character can follow another: for the image,
// and for the computer that admits its loops (data sheet, chapter 20).
#pragma once

#include <stdint.h>

namespace hocket {
namespace uno {

constexpr uint32_t kSerialHz = 16'000'000;
/// Bytes of the buffer for what is sent; one less are in it at most.
constexpr uint8_t kSerialBuffer = 64;

/// The highest that is reckoned with where it is not known while compiling; beyond it begin() is
/// refused then.
constexpr uint32_t kHighestAnyRate = 115'200;

/// Those that a divider makes to within 4 %: 230400 is off by 3.5 %, and what is off by more is not
/// understood (the receiver samples the tenth bit in its middle: data sheet, 20.8.3).
constexpr bool is_serial_rate(uint32_t baud) {
  constexpr uint32_t kLeast = 300, kMost = kSerialHz / 8;
  if (baud - kLeast > kMost - kLeast) return false;
  // Up to twelve and a half times slower than the highest every rate is as near as that.
  constexpr uint32_t kOff = kMost / 25;
  if (baud <= 2 * kOff) return true;
  uint32_t off = kMost + baud / 2;
  while (off >= baud) off -= baud;
  return off >= baud / 2 ? off - baud / 2 <= kOff : baud / 2 - off <= kOff;
}

struct SerialRate {
  uint16_t divider;   // processor cycles for each of a bit's samples
  bool double_speed;  // 8 of them, and not 16

  constexpr uint32_t bit_cycles() const { return (double_speed ? 8u : 16u) * divider; }
  /// From one character sent to the next: start, 8 bits, stop.
  constexpr uint32_t sent_cycles() const { return 10 * bit_cycles(); }
  /// From one character received to the next at the least, whatever the line does: the receiver is
  /// ready for a start bit again when it has had the middle samples of the stop bit, which are up
  /// to the fifth of 8 or the ninth of 16 (20.8.3).
  constexpr uint32_t received_cycles() const {
    return 9 * bit_cycles() + (double_speed ? 5u : 9u) * divider;
  }
};

/// Of a rate that there is. Without a division, which would be linked for it alone.
constexpr SerialRate serial_rate(uint32_t baud) {
  uint16_t divider = 0;  // rounded, at double speed
  for (auto left = static_cast<int32_t>(kSerialHz / 8 + baud / 2 - baud); left >= 0; ++divider) {
    left -= static_cast<int32_t>(baud);
  }
  if (divider <= 4096) return {divider, true};
  return {static_cast<uint16_t>(divider / 2), false};
}

/// The rate register's content; the upper bit: double speed. kNoSerialSetting: there is no such
/// rate.
constexpr uint16_t kDoubleSpeed = 0x8000;
constexpr uint16_t kNoSerialSetting = 0xffff;
constexpr uint16_t serial_setting(SerialRate rate) {
  return static_cast<uint16_t>((rate.divider - 1) | (rate.double_speed ? kDoubleSpeed : 0));
}
/// The same of a rate that is known while compiling: the division is made there.
constexpr uint16_t serial_setting(unsigned long baud) {
  if (baud > 0xffffffff || !is_serial_rate(static_cast<uint32_t>(baud))) return kNoSerialSetting;
  const auto divider = static_cast<uint16_t>((kSerialHz / 8 + baud / 2) / baud);
  if (divider <= 4096) return serial_setting(SerialRate{divider, true});
  return serial_setting(SerialRate{static_cast<uint16_t>(divider / 2), false});
}

/// Opens the port with a setting (serial.cpp).
void serial_open(uint16_t setting);

}  // namespace uno
}  // namespace hocket
