// What the kernel asks of the board's devices: pins, serial ports, buses and the EEPROM.
//
// Numbers in requests are 64 bits wide and not to be trusted; what the devices take is narrower.
// Every function throws ProtocolError for one that does not fit. Devices refuse themselves what is
// in range and wrong (a pin that there is not), and the kernel is told.
#pragma once

#include <array>
#include <bitset>

#include "simulation/devices/devices.h"
#include "simulation/peer/request.h"

namespace hocket::world {

using sim::Nanos;

/// Every request is one whose rule names the function; the devices have been moved to its instant.
class DeviceCalls {
 public:
  explicit DeviceCalls(sim::Devices& devices) : devices_(devices) {}

  /// These return the value of the reply.
  int64_t pin(const Request& request);
  int64_t serial(const Request& request, Bytes payload);
  int64_t bus(const Request& request, Bytes payload, std::vector<uint8_t>& answer);

  /// Takes what the watched pins have had since the last time.
  void tell_edges(Reply& reply);
  /// Edges that a pin has had while the kernel watched it for them.
  uint64_t edges_seen(unsigned pin) const { return pin < kMostPins ? edges_seen_[pin] : 0; }

 private:
  bool watch(Nanos now, uint32_t pin, uint32_t mode);
  int64_t i2c(const Request& request, Bytes payload, std::vector<uint8_t>& answer);
  int64_t spi(const Request& request, Bytes payload, std::vector<uint8_t>& answer);

  sim::Devices& devices_;
  std::bitset<kMostPins> watched_;                // for edges
  std::array<uint64_t, kMostPins> edges_seen_{};  // while they were
};

}  // namespace hocket::world
