// A serial port whose line is at any two pins: what SoftwareSerial speaks through.
//
//   idle ‾‾‾└start┘ bit 0 … bit 7 ┘‾stop‾‾‾     (all upside down with `inverted`)
//
// Buffers and rates are a SerialPort's. A byte's edges are at start + n / baud (rounded down to a
// nanosecond, never summed up). What comes is looked at in the middle of each bit, from the edge of
// its start bit on; a byte whose stop bit is not there is broken and is dropped. While the line
// does not listen, bytes are counted as unheard.
#pragma once

#include "simulation/devices/pins.h"
#include "simulation/devices/serial_port.h"

namespace hocket::sim {

class SerialAtPins : private SerialListener, private PinListener, private EventTarget {
 public:
  /// `number`: of the port. Both pins exist, or are `kNoPin`.
  SerialAtPins(EventQueue& events, Pins& pins, unsigned number);
  static constexpr unsigned kNoPin = ~0u;

  struct Wires {
    unsigned rx, tx;
    bool inverted;
    bool operator==(const Wires&) const = default;
  };
  bool taken() const { return taken_; }
  const Wires& wires() const { return wires_; }
  /// From now on it is this line's; once.
  void take(const Wires& wires);

  SerialPort& port() { return port_; }
  const SerialPort& port() const { return port_; }
  /// Begins with an empty buffer, or leaves off.
  void listen(bool on);
  /// Whether a byte found the buffer full since it was last asked.
  bool overflowed() { return port_.overflowed(); }

  void facts(Facts& facts, Nanos end) const;
  /// What the user of the line should know; empty: nothing.
  std::string notice() const;

 private:
  struct Silent final : DeviceSink {
    void serial_out(Nanos, unsigned, uint8_t) override {}
  };
  enum Token : uint64_t { kSends = 0, kHears = 1 };

  void port_sends(Nanos now, uint8_t byte) override;
  void port_sent(Nanos, uint8_t) override {}
  bool may_answer() const override { return false; }
  Nanos sends_at() const override;
  void level_changed(Nanos now, unsigned terminal, bool high) override;
  void due(Nanos now, uint64_t token) override;

  void send_bit(Nanos now);
  void hear_bit(Nanos now);
  void heard(bool whole);
  void schedule_middle(unsigned bit);
  std::string name() const;

  EventQueue& events_;
  Pins& pins_;
  Silent silent_;
  SerialPort port_;
  Wires wires_{kNoPin, kNoPin, false};
  bool taken_ = false, listens_ = false;

  struct Frame {
    bool busy = false;
    uint32_t baud = 0;
    Nanos begin = 0;  // of its start bit
    unsigned bit = 0;
    uint32_t bits = 0;     // the start bit is below
    uint64_t version = 0;  // events of an older frame are void
  };
  Frame out_, in_;
  uint64_t broken_ = 0, unheard_ = 0;
};

}  // namespace hocket::sim
