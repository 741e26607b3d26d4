// The kernel's requests to the board's devices: pins, serial ports, buses and the EEPROM.
//
// Numbers in requests are 64 bits wide and not trusted; the devices take narrower ones. Every
// function throws ProtocolError for a number that does not fit. A number that fits and is wrong (a
// pin that does not exist) is refused by the devices, and the kernel gets that answer.
#pragma once

#include <array>
#include <bitset>

#include "simulation/devices/devices.h"
#include "simulation/peer/request.h"

namespace hocket::world {

using sim::Nanos;

/// The rule of every request names the function, and the devices have been advanced to its instant.
class DeviceCalls {
 public:
  explicit DeviceCalls(sim::Devices& devices) : devices_(devices) {}

  /// These functions return the value of the reply.
  int64_t pin(const Request& request);
  int64_t serial(const Request& request, Bytes payload);
  int64_t bus(const Request& request, Bytes payload, std::vector<uint8_t>& answer);

  /// Takes the edges of watched pins since the last call.
  void tell_edges(Reply& reply);
  /// Edges of a pin while the kernel watched it.
  uint64_t edges_seen(unsigned pin) const { return pin < kMostPins ? edges_seen_[pin] : 0; }

 private:
  bool watch(Nanos now, uint32_t pin, uint32_t mode);
  int64_t i2c(const Request& request, Bytes payload, std::vector<uint8_t>& answer);
  int64_t spi(const Request& request, Bytes payload, std::vector<uint8_t>& answer);

  sim::Devices& devices_;
  std::bitset<kMostPins> watched_;                // pins watched for edges
  std::array<uint64_t, kMostPins> edges_seen_{};  // edges while they were watched
};

}  // namespace hocket::world
