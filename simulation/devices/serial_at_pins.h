// A serial port whose line is at any two pins, as SoftwareSerial uses it.
//
//   idle ‾‾‾└start┘ bit 0 … bit 7 ┘‾stop‾‾‾     (all upside down with `inverted`)
//
// Buffers and rates are those of a SerialPort. A byte's edges are at start + n / baud (rounded down
// to a nanosecond, never accumulated). A received byte is sampled in the middle of each bit,
// counted from the edge of its start bit. A byte without its stop bit is damaged and dropped. While
// the line does not listen, bytes are counted as unheard.
#pragma once

#include "simulation/devices/pins.h"
#include "simulation/devices/serial_port.h"

namespace hocket::sim {

class SerialAtPins : private SerialListener, private PinListener, private EventTarget {
 public:
  /// `number`: of the port. Both pins must exist, or be `kNoPin`.
  SerialAtPins(EventQueue& events, Pins& pins, unsigned number);
  static constexpr unsigned kNoPin = ~0u;

  struct Wires {
    unsigned rx, tx;
    bool inverted;
    bool operator==(const Wires&) const = default;
  };
  bool taken() const { return taken_; }
  const Wires& wires() const { return wires_; }
  /// Assigns the pins to this line; once.
  void take(const Wires& wires);

  SerialPort& port() { return port_; }
  const SerialPort& port() const { return port_; }
  /// Starts listening with an empty buffer, or stops.
  void listen(bool on);
  /// Whether a byte was lost to a full buffer since the last call.
  bool overflowed() { return port_.overflowed(); }

  void facts(Facts& facts, Nanos end) const;
  /// A notice for the user of the line; empty: none.
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
    uint32_t bits = 0;     // the start bit is bit 0
    uint64_t version = 0;  // events of an older frame are ignored
  };
  Frame out_, in_;
  uint64_t broken_ = 0, unheard_ = 0;
};

}  // namespace hocket::sim
