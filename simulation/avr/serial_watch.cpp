#include "simulation/avr/serial_watch.h"

namespace hocket::avr {
namespace {

constexpr uint32_t kFurtherMask = 63;  // arduino/cores/avr8/serial_port.h

}  // namespace

SerialWatch::SerialWatch(const uno::Firmware& firmware, Mcu& mcu, unsigned port)
    : head_(firmware.address(port == 0 ? "hocket_serial_head"
                                       : "hocket_serial_head_" + std::to_string(port))),
      mask_(port == 0 ? firmware.address("hocket_serial_mask") : kFurtherMask),
      mcu_(mcu),
      port_(port) {
  if (head_) mcu.receiver(port).on_read([this] { read(); });
}

/// A byte that was put into the buffer has moved the head.
void SerialWatch::read() {
  without_room_ = without_room();
  before_ = head();
  waits_ = true;
}

std::string SerialWatch::notice() const {
  const std::string name = port_ == 0 ? "Serial" : "Serial" + std::to_string(port_);
  const uint64_t full = without_room(), late = overruns();
  if (unheard() > 0 && full + late == 0) {
    return name + " was sent " + std::to_string(unheard()) +
           " bytes, and the sketch reads none: its receiver is off.";
  }
  if (full + late == 0) return {};
  std::string text = name + " lost " + std::to_string(full + late) + " bytes: ";
  if (full > 0) {
    text += std::to_string(full) + " found its buffer of " + std::to_string(mask_.value_or(0) + 1) +
            " bytes full";
  }
  if (full > 0 && late > 0) text += ", ";
  if (late > 0) {
    text += std::to_string(late) +
            " came while the processor's own were full, because interrupts were masked";
  }
  return text + ".";
}

}  // namespace hocket::avr
