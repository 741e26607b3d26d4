// An I²C bus with the board as its only controller: addresses, bytes, acknowledgements, time.
//
//   start  address+R/W  ack   byte  ack   …   [start  address+R/W  ack   byte  ack  …]   stop
//
// Devices see single steps (I2cTarget). So a caller with steps of its own, such as a simulated
// processor's two-wire interface, can drive the bus with begin(), write(), read() and stop().
// transfer() makes all steps at one instant and returns how long the bus is busy: one clock for
// each bit and acknowledgement, and one for each start and stop (I²C-bus specification, UM10204,
// 3.1).
//
// A device may hold a line low for a while. It may also stretch the clock: it then keeps SCL low
// after each byte that it acknowledges or sends.
//
//   SDA held   No start is possible until it is released. A byte being sent is lost (the controller
//              reads a zero where it sends a one, and gives up the bus). A byte being read is zero.
//   SCL held   The bus stands still until it is released.
#pragma once

#include <map>
#include <vector>

#include "simulation/devices/devices.h"

namespace hocket::sim {

/// A device at one address. Each step carries its own instant, which may be ahead of other parts'
/// present by up to the length of a transfer. If a device acts by itself in reaction, that must be
/// an event at that instant.
class I2cTarget {
 public:
  virtual ~I2cTarget() = default;
  /// The controller addresses the device. Returns whether it acknowledges.
  virtual bool addressed(Nanos now, bool reads) = 0;
  /// The device gets a byte. Returns whether it acknowledges.
  virtual bool takes(Nanos now, uint8_t byte) = 0;
  virtual uint8_t gives(Nanos now) = 0;
  /// The stop condition after the device was addressed once or several times; not a repeated start.
  virtual void stopped(Nanos /*now*/) {}
};

class I2cBus {
 public:
  /// Returns false if another device has this address.
  bool connect(uint8_t address, I2cTarget& target) {
    return targets_.try_emplace(address, &target).second;
  }
  /// The target keeps the clock low for `each` after each of its bytes.
  void stretch(const I2cTarget& target, Nanos each) { stretches_[&target] = each; }
  enum class Line : uint8_t { Data, Clock };
  /// The line is low from `from` on, until just before `until`.
  void hold(Line line, Nanos from, Nanos until) { holds_.push_back({line, from, until}); }

  /// When a start condition wanted at `now`, or a byte that begins then, is complete; `lasts`: its
  /// clock time. kNever: a line stays low for good. For a byte: call after its step below.
  Nanos start_ends(Nanos now, Nanos lasts) const;
  Nanos byte_ends(Nanos now, Nanos lasts) const;
  /// Whether SDA is held low at some instant between the two.
  bool data_held(Nanos from, Nanos until) const;

  // The steps. A start without a stop before it is a repeated start.
  bool begin(Nanos now, uint8_t address, bool reads);
  bool write(Nanos now, uint8_t byte);
  uint8_t read(Nanos now);
  void stop(Nanos now);

  /// A whole transfer. `out` and `in` are memory of the board.
  I2cAnswer transfer(Nanos now, const sys::I2cTransfer& asked, const uint8_t* out, uint8_t* in);

 private:
  struct Hold {
    Line line;
    Nanos from, until;
  };
  /// The first instant from `now` on at which the clock is high, and the data line too if asked
  /// for.
  Nanos released(Nanos now, bool data_too) const;
  Nanos clocked(Nanos now, Nanos lasts) const;

  std::map<uint8_t, I2cTarget*> targets_;
  std::map<const I2cTarget*, Nanos> stretches_;
  std::vector<Hold> holds_;
  I2cTarget* talking_ = nullptr;     // the device that has acknowledged its address
  std::vector<I2cTarget*> started_;  // devices addressed since the last stop
};

}  // namespace hocket::sim
