// The board's pins, and the wires on which they and the parts meet.
//
// A wire has one level, made by everything that drives it:
//
//   pin 11  ──┐ strong          strong (outputs)  >  source (a voltage)  >  weak (pull resistors)
//   part    ──┼── wire ── level                   >  floating
//   pull-up ──┘ weak            strong high against strong low: contention, reads 0, shown as x
//
// Invariants: a pin belongs to exactly one wire; a wire's level is always that of its drivers;
// listeners hear of every change of level at its exact instant, in the order in which they were
// connected.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "simulation/devices/edge_detector.h"
#include "simulation/devices/event_queue.h"
#include "simulation/devices/pinout.h"
#include "simulation/devices/random.h"
#include "simulation/devices/touch.h"
#include "simulation/devices/waves.h"

namespace hocket::sim {

/// Is notified of events on a wire. `terminal` is the listener's own number for the connection.
class PinListener {
 public:
  virtual ~PinListener() = default;
  virtual void level_changed(Nanos now, unsigned terminal, bool high) = 0;
  /// The sketch has written the pin (digitalWrite, analogWrite), whether or not its level changes.
  virtual void written(Nanos, unsigned /*terminal*/) {}
  /// The converter is about to sample the wire: update a changing voltage.
  virtual void sampled(Nanos, unsigned /*terminal*/) {}
  /// A driver of the wire has changed, whether or not the level changes.
  virtual void redriven(Nanos, unsigned /*terminal*/) {}
};

class Pins {
 public:
  using Driver = unsigned;

  Pins(EventQueue& events, Waves& waves, DeviceSink& sink, uint64_t seed);
  ~Pins();

  // For parts, before the start: wires first, then drivers and listeners.
  void join(unsigned pin, unsigned other);
  bool joined(unsigned pin, unsigned other) const;
  /// A part's connection that may drive the wire; `main` unless it only pulls weakly.
  Driver add_driver(unsigned pin, bool main = true);
  /// A connection to another board; everything that it drives counts.
  Driver add_line(unsigned pin);
  /// Whether a part has its main driver on this pin's wire: a second one would be an error.
  bool driven_by_part(unsigned pin) const;
  void listen(unsigned pin, PinListener& listener, unsigned terminal);
  Waves::Signal signal(unsigned pin);

  // For parts, at any time.
  void drive(Nanos now, Driver driver, Drive drive, int64_t microvolts = 0);
  bool level(unsigned pin) const { return level_[pin] != 0; }
  /// The state of this driver's wire without the driver itself.
  LineState others(Driver driver) const;

  // For the board: see Devices.
  bool set_mode(Nanos now, unsigned pin, sys::PinMode mode);
  bool write(Nanos now, unsigned pin, bool high);
  bool pwm(Nanos now, unsigned pin, uint32_t value, uint32_t maximum);
  bool tone(Nanos now, unsigned pin, uint32_t hertz, uint32_t duration_ms);
  bool stop_tone(Nanos now, unsigned pin);
  bool servo(Nanos now, unsigned pin, uint32_t pulse_us);
  int convert(Nanos now, unsigned pin, unsigned bits);
  int read(unsigned pin) {
    if (!used_[pin]) use(pin);
    return level_[pin];
  }

  // Edge detectors: see Devices. The pin must exist.
  Edges watch(Nanos now, unsigned pin, sys::EdgeMode mode, unsigned line);
  Edges release(Nanos now, unsigned pin);
  Edges take(Nanos now, unsigned pin, uint64_t most);
  void mask(Nanos now, unsigned pin);
  void unmask(Nanos now, unsigned pin);
  unsigned asking(unsigned line, unsigned from) const;
  uint64_t edges_counted(unsigned pin) const { return detectors_[pin].counted(); }
  Edges edges_waiting(unsigned pin) const { return detectors_[pin].waiting(); }
  uint64_t edges_overflowed(unsigned pin) const { return detectors_[pin].overflowed(); }

  // What has driven which pins until now.
  bool used(unsigned pin) const { return used_[pin] != 0; }
  /// By the sketch: as an output, by the pin's timer, or with its pull resistor.
  bool driven_by_sketch(unsigned pin) const { return drivers_[pin].drove != Drive::None; }
  /// By anything: the sketch, a part that can drive, another board. A part's pull resistor does not
  /// count.
  bool driven(unsigned pin) const;
  /// By anything besides this driver, including resistors.
  bool driven_besides(Driver driver) const;

  const std::vector<std::string>& notices() const { return notices_; }

  void observe(PinObserver& observer) { observer_ = &observer; }
  PinView view(unsigned pin) const;

 private:
  class Pin;
  struct DriverState {
    unsigned wire;
    Drive drive = Drive::None;
    int64_t microvolts = 0;
    Drive drove = Drive::None;  // its strongest drive so far
    bool is_line = false;
  };
  struct Wire {
    std::vector<unsigned> pins;
    std::vector<Driver> drivers;
    struct Connection {
      PinListener* listener;
      unsigned terminal;
    };
    std::vector<Connection> listeners;
    char shown = 'z';  // as in the wave file
    int64_t microvolts = 0;
    bool part_drives = false;
    bool contended = false;
  };

  void use(unsigned pin);
  void resolve(Nanos now, unsigned wire);
  void show(Nanos now, Wire& wire, char shown, int64_t microvolts);
  void note_contention(Nanos now, Wire& wire);
  void tell_written(Nanos now, unsigned pin);
  std::string wire_name(const Wire& wire) const;

  /// A detector has changed, so its line may change.
  void look(Nanos now, unsigned pin);

  EventQueue& events_;
  Waves& waves_;
  DeviceSink& sink_;
  Random noise_;
  std::vector<Wire> wires_;
  std::vector<DriverState> drivers_;
  std::vector<std::unique_ptr<Pin>> pins_;
  std::array<unsigned, pinout::kPins> wire_of_{};
  std::array<uint8_t, pinout::kPins> level_{};
  std::array<uint8_t, pinout::kPins> used_{};
  std::array<Waves::Signal, pinout::kPins> signals_{};
  std::array<EdgeDetector, pinout::kPins> detectors_{};
  std::array<bool, pinout::kPins> asks_{};
  std::array<uint8_t, pinout::kPins> line_of_{};
  std::array<unsigned, kPinLines> asking_{};  // number of pins that ask on each line
  std::vector<std::string> notices_;
  PinObserver* observer_ = nullptr;  // null: there is no observer
};

/// `D11`, `A0`: the name of a pin in wave files and messages.
std::string pin_name(unsigned pin);

}  // namespace hocket::sim
