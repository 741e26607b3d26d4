// Connects the simulated board's devices to the machine: the lines of the pin block, and when they
// may change. Not instrumented, because it is hardware.
#pragma once

#include "ports/host/machine.h"
#include "simulation/devices/devices.h"

namespace hocket::sim {

/// Passes sent bytes on to another sink, and the pins' lines to the machine.
class LineOfPins final : public DeviceSink, public host::LineSource {
 public:
  explicit LineOfPins(DeviceSink& bytes) : bytes_(bytes) {}
  /// Call before the machine runs. Both must outlive the run.
  void connect(host::Machine& machine, Devices& devices);

  void serial_out(Nanos when, unsigned port, uint8_t byte) override;
  void pins_ask(Nanos when, unsigned line, bool high) override;

  Nanos next_change() const override;
  void advance(Nanos now) override;

 private:
  DeviceSink& bytes_;
  host::Machine* machine_ = nullptr;
  Devices* devices_ = nullptr;
};

}  // namespace hocket::sim
