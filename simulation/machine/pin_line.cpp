// The lines of the pin block (see pin_line.h).
#include "simulation/machine/pin_line.h"

#include "board_pins.h"

namespace hocket::sim {

void LineOfPins::connect(host::Machine& machine, Devices& devices) {
  machine_ = &machine;
  devices_ = &devices;
  machine.set_line_source(*this);
}

void LineOfPins::serial_out(Nanos when, unsigned port, uint8_t byte) {
  bytes_.serial_out(when, port, byte);
}

void LineOfPins::pins_ask(Nanos when, unsigned line, bool high) {
  if (machine_ != nullptr) machine_->set_line(SimPins::kLine + line, high, when);
}

Nanos LineOfPins::next_change() const {
  return devices_->next_event();
}

void LineOfPins::advance(Nanos now) {
  machine_->beside([&] { devices_->advance(now); });
}

}  // namespace hocket::sim

void hocket::SimPins::note_service() {
  host::Machine::instance().serves_device();
}
