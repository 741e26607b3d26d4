// Counts the bytes that a serial port receives from the processor's receiver and that find no room
// in the sketch's buffer.
#pragma once

#include <optional>
#include <string>

#include "arduino/cores/avr8/image/firmware.h"
#include "simulation/avr/mcu.h"

namespace hocket::avr {

class SerialWatch {
 public:
  /// Must not move afterwards.
  SerialWatch(const uno::Firmware& firmware, Mcu& mcu, unsigned port);

  /// Bytes read for which the buffer had no room. (A handler that is in the middle at the end of a
  /// run counts as if it had none.)
  uint64_t without_room() const { return without_room_ + (waits_ && head() == before_ ? 1 : 0); }
  uint64_t overruns() const { return mcu_.receiver(port_).overruns(); }
  /// Bytes received while the receiver was off.
  uint64_t unheard() const { return mcu_.receiver(port_).unheard(); }
  /// A sentence for the report; empty if nothing was lost.
  std::string notice() const;

 private:
  uint8_t head() const { return mcu_.data(static_cast<uint16_t>(*head_)); }
  void read();

  const std::optional<uint32_t> head_;  // where the image keeps the place of the next byte
  const std::optional<uint32_t> mask_;  // Serial's: the buffer's bytes are one more
  const Mcu& mcu_;
  const unsigned port_;
  uint8_t before_ = 0;  // the head as the last byte was read
  bool waits_ = false;  // one has been read
  uint64_t without_room_ = 0;
};

}  // namespace hocket::avr
