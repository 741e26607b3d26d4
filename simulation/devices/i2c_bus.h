// An I²C bus with the board as its only controller: addresses, bytes, acknowledgements, time.
//
//   start  address+R/W  ack   byte  ack   …   [start  address+R/W  ack   byte  ack  …]   stop
//
// Devices see the single steps (I2cTarget), so that whoever has steps of its own, like a simulated
// processor's two-wire interface, can drive the bus with begin(), write(), read() and stop().
// transfer() makes them all at one instant and says how long the bus is busy with them: a clock
// for each bit and acknowledgement, one for each start and stop (I²C-bus specification, UM10204,
// 3.1).
//
// A device may hold a line low for a while, and it may stretch the clock: then it keeps SCL low
// after each byte that it acknowledges or sends.
//
//   SDA held   no start is possible until it is released; a byte that is under way is lost (the
//              controller reads a zero where it sends a one, and gives up the bus), and one that
//              is read is zero
//   SCL held   everything stands still until it is released
#pragma once

#include <map>
#include <vector>

#include "simulation/devices/devices.h"

namespace hocket::sim {

/// A device at one address. Each step comes with its own instant, which may be ahead of the other
/// parts' present by as much as a transfer lasts: what a device does by itself then is an event for
/// that instant.
class I2cTarget {
 public:
  virtual ~I2cTarget() = default;
  /// It is spoken to: acknowledges?
  virtual bool addressed(Nanos now, bool reads) = 0;
  /// It gets a byte: acknowledges?
  virtual bool takes(Nanos now, uint8_t byte) = 0;
  virtual uint8_t gives(Nanos now) = 0;
  /// The stop condition after one or more times that it was addressed; not a repeated start.
  virtual void stopped(Nanos /*now*/) {}
};

class I2cBus {
 public:
  /// False: another device is at this address.
  bool connect(uint8_t address, I2cTarget& target) {
    return targets_.try_emplace(address, &target).second;
  }
  /// The target keeps the clock low for so long after each of its bytes.
  void stretch(const I2cTarget& target, Nanos each) { stretches_[&target] = each; }
  enum class Line : uint8_t { Data, Clock };
  /// The line is low from `from` on, until just before `until`.
  void hold(Line line, Nanos from, Nanos until) { holds_.push_back({line, from, until}); }

  /// When a start that is wanted at `now`, or a byte that begins then, is complete; `lasts`: its
  /// clocks. kNever: a line stays low for good. Of a byte: to be asked after its step below.
  Nanos start_ends(Nanos now, Nanos lasts) const;
  Nanos byte_ends(Nanos now, Nanos lasts) const;
  /// Whether SDA is held low at some instant of these.
  bool data_held(Nanos from, Nanos until) const;

  // The steps. A start without a stop before it is a repeated one.
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
  /// The first instant from `now` on at which the clock, and if asked for the data line, is high.
  Nanos released(Nanos now, bool data_too) const;
  Nanos clocked(Nanos now, Nanos lasts) const;

  std::map<uint8_t, I2cTarget*> targets_;
  std::map<const I2cTarget*, Nanos> stretches_;
  std::vector<Hold> holds_;
  I2cTarget* talking_ = nullptr;     // has acknowledged its address
  std::vector<I2cTarget*> started_;  // since the last stop
};

}  // namespace hocket::sim
