// The simulated board's devices as the processor sees them: pins, converters, timers, serial ports.
//
// This is hardware, not kernel: it is compiled without the block clock and costs no virtual time by
// itself (the machine charges each access, `ports/host/machine.h`). Every call carries the virtual
// time at which the access happens; over all cores these times never decrease, because the machine
// lets a core access a device only once all other cores have reached the same instant. So parts are
// simulated lazily: each call first brings every part up to `now`, then acts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "arduino/runtime/system.h"

namespace hocket::sim {

/// Virtual time in nanoseconds since the board started.
using Nanos = uint64_t;

/// How something drives a wire, in order of strength: pull resistors, a voltage, an output.
enum class Drive : uint8_t { None, WeakLow, WeakHigh, Source, Low, High };

/// What all that is on a wire makes of it together; microvolts: of a Source.
struct LineState {
  Drive drive = Drive::None;
  int64_t microvolts = 0;
  bool operator==(const LineState&) const = default;
};

/// What the devices tell the program that runs the board.
class DeviceSink {
 public:
  virtual ~DeviceSink() = default;
  /// One byte left serial port `port` at `when` (the end of its stop bit).
  virtual void serial_out(Nanos when, unsigned port, uint8_t byte) = 0;
  /// A line of the pin block is like this from `when` on: high while some edge detector that is
  /// routed to it asks.
  virtual void pins_ask(Nanos /*when*/, unsigned /*line*/, bool /*high*/) {}
};

/// Lines of the pin block: each detector is routed to one.
inline constexpr unsigned kPinLines = 8;

/// What an edge detector has counted, and when the first of it came.
struct Edges {
  uint64_t count = 0;
  Nanos first = 0;
};

/// How an I²C transfer went, and how long it keeps the bus busy.
struct I2cAnswer {
  sys::I2cEnd end = sys::I2cEnd::Failed;
  size_t received = 0;
  Nanos lasts = 0;
};

/// The devices cannot be made or cannot go on; what() is a sentence for the user.
class DeviceError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A flat scenario that cannot be used; what() says the line and what is wrong.
class ScenarioError : public DeviceError {
 public:
  ScenarioError(unsigned line, const std::string& text)
      : DeviceError("scenario line " + std::to_string(line) + ": " + text), line_(line) {}
  unsigned line() const { return line_; }

 private:
  unsigned line_;
};

/// Who drove what, of a run that is over: what a wrong wire shows first.
struct WiringFacts {
  struct Idle {
    std::string part;
    std::vector<unsigned> pins;  // those that it looks at
  };
  struct Loose {
    std::string part;
    unsigned pin;
  };
  std::vector<unsigned> driven;    // by the sketch: as outputs, or by its pull resistors
  std::vector<unsigned> undriven;  // used, and driven by nobody
  std::vector<Idle> idle;          // parts that nobody drove, at none of their pins
  std::vector<Loose> loose;        // contacts to ground whose pin nothing ever pulled up
};

struct DeviceOptions {
  uint64_t seed = 1;
  std::string scenario;  // text of the flat scenario (empty: bare board with nothing on its pins)
  std::string vcd_file;  // empty: no wave file
  std::string input{};   // what port 0 is sent as soon as it is begun
};

// Of simulation/devices/touch.h:
struct PartView;
struct PinView;
struct Touch;
class PinObserver;

class Devices {
 public:
  /// Throws ScenarioError (message with the line) when the flat scenario is not usable, DeviceError
  /// when the wave file cannot be written.
  static std::unique_ptr<Devices> create(const DeviceOptions& options, DeviceSink& sink);
  virtual ~Devices() = default;

  /// Brings all parts to `now`. Called with the end of the run at last.
  virtual void advance(Nanos now) = 0;

  /// The instant that everything has been brought to; in the middle of that, how far it has come.
  virtual Nanos reached() const = 0;

  /// The earliest instant at which anything changes by itself: before it, no level of a pin and no
  /// byte waiting at a port changes unless one of the calls below acts. UINT64_MAX: nothing will.
  virtual Nanos next_event() const = 0;
  /// What pin_read would answer at the instant of the last call, without being an access: a pin
  /// does not appear in the wave file because of it.
  virtual bool pin_level(unsigned pin) const = 0;

  // Pins: the meaning of hocket::sys's calls of the same names.
  virtual unsigned pin_count() const = 0;
  virtual unsigned analog_base() const = 0;
  virtual unsigned analog_count() const = 0;
  virtual bool pin_mode(Nanos now, unsigned pin, sys::PinMode mode) = 0;
  virtual bool pin_write(Nanos now, unsigned pin, bool high) = 0;
  virtual int pin_read(Nanos now, unsigned pin) = 0;
  virtual int analog_read(Nanos now, unsigned pin, unsigned bits) = 0;
  virtual bool pwm_write(Nanos now, unsigned pin, uint32_t value, uint32_t maximum) = 0;
  virtual bool tone_start(Nanos now, unsigned pin, uint32_t hertz, uint32_t duration_ms) = 0;
  virtual bool tone_stop(Nanos now, unsigned pin) = 0;
  virtual bool servo_write(Nanos now, unsigned pin, uint32_t pulse_us) = 0;

  // Edge detectors, one for each pin (edge_detector.h). Each call answers or changes the state as
  // of `now`; a pin that does not exist has nothing and changes nothing.
  virtual bool edges_possible(unsigned pin) const = 0;
  /// The first pin from this one on, and round to it again, that asks on a line; pin_count(): none
  /// does.
  virtual unsigned edges_asking(Nanos now, unsigned line, unsigned from) = 0;
  /// Looks for this from now on, unmasked, for a line (below kPinLines). Answers what the former
  /// mode had counted.
  virtual Edges edges_watch(Nanos now, unsigned pin, sys::EdgeMode mode, unsigned line) = 0;
  /// Looks for nothing from now on.
  virtual Edges edges_release(Nanos now, unsigned pin) = 0;
  virtual Edges edges_take(Nanos now, unsigned pin) = 0;
  virtual void edges_mask(Nanos now, unsigned pin) = 0;
  /// Interrupts again, at once if there is something to take.
  virtual void edges_unmask(Nanos now, unsigned pin) = 0;
  /// All that has been counted, whether it was taken or not, as of the last access.
  virtual uint64_t edges_counted(unsigned pin) const = 0;

  // Serial ports: a 64-byte transmit buffer drained at the baud rate, a 64-byte receive buffer
  // filled by the scenario. Nothing here waits: the kernel's side blocks the loop until `room_at`.
  virtual unsigned serial_count() const = 0;
  /// `buffer`: as many bytes wait to be read at most, up to 65,536; 0: the usual 64.
  virtual bool serial_begin(Nanos now, unsigned port, uint32_t baud, uint32_t buffer = 0) = 0;
  virtual void serial_end(Nanos now, unsigned port) = 0;
  virtual size_t serial_available(Nanos now, unsigned port) = 0;
  virtual size_t serial_room(Nanos now, unsigned port) = 0;
  virtual int serial_read(Nanos now, unsigned port) = 0;
  virtual int serial_peek(Nanos now, unsigned port) = 0;
  /// Takes as many bytes as fit; returns how many. 0 with serial_room() == 0 means full, and a port
  /// that was not begun has room for nothing and `serial_begun` false.
  virtual size_t serial_write(Nanos now, unsigned port, const uint8_t* data, size_t size) = 0;
  virtual bool serial_begun(unsigned port) const = 0;
  /// Earliest instant at which `bytes` (1 … 64) of transmit buffer are free: exact unless more is
  /// written meanwhile. A byte frees its place when its stop bit ends, so room for 64 means that
  /// all has left. UINT64_MAX for a port that is not begun with bytes queued.
  virtual Nanos serial_room_at(unsigned port, size_t bytes) const = 0;
  /// The bytes that have been written and have not left, first to leave first.
  virtual std::vector<uint8_t> serial_waiting(unsigned port) const = 0;
  /// When to look for a received byte again: never later than the next one's arrival, but earlier
  /// when a part may yet answer what is being sent (look again then). UINT64_MAX: nothing comes
  /// unless the port sends or is begun first; ask again after any serial_write or serial_begin on
  /// this port. Of a line at pins it knows only the byte that is under way.
  virtual Nanos serial_data_at(unsigned port) const = 0;

  // Lines at any two pins (serial_at_pins.h): ports from serial_count() on.
  /// The port of the line at these pins, taken now or before; -1: all are taken, or neither pin is.
  virtual int serial_line(Nanos now, unsigned rx, unsigned tx, bool inverted) = 0;
  /// From now on it listens, with an empty buffer, or does not. A port that is no line: nothing.
  virtual void serial_listen(Nanos now, unsigned port, bool on) = 0;
  /// Whether a byte of the line found its buffer full since it was last asked.
  virtual bool serial_overflowed(Nanos now, unsigned port) = 0;

  // Buses: the meaning of hocket::sys's calls of the same names, but that nothing here waits. A
  // transfer is made as of `now`, and keeps the bus busy for as long as is answered. The pointers
  // in `asked` are not followed: `out` and `in` are what they mean, of the sizes in `asked`.
  virtual unsigned i2c_count() const = 0;
  virtual I2cAnswer i2c_transfer(Nanos now, unsigned bus, const sys::I2cTransfer& asked,
                                 const uint8_t* out, uint8_t* in) = 0;
  // The steps of a transfer on bus 0, for a processor whose own interface makes them (i2c_bus.h):
  // whether the address was acknowledged, whether the byte was; a byte that was read.
  virtual bool i2c_begin(Nanos now, uint8_t address, bool reads) = 0;
  virtual bool i2c_write(Nanos now, uint8_t byte) = 0;
  virtual uint8_t i2c_read(Nanos now) = 0;
  virtual void i2c_stop(Nanos now) = 0;
  /// When a start, or the byte whose step has just been made, is complete, which takes `lasts` of
  /// clocks from now on; later where a device holds the bus up. UINT64_MAX: a line stays low.
  virtual Nanos i2c_start_ends(Nanos now, Nanos lasts) = 0;
  virtual Nanos i2c_byte_ends(Nanos now, Nanos lasts) = 0;
  /// Whether a device holds SDA low in between, so that the byte is lost.
  virtual bool i2c_data_held(Nanos from, Nanos until) const = 0;
  virtual unsigned spi_count() const = 0;
  virtual Nanos spi_transfer(Nanos now, unsigned bus, const sys::SpiTransfer& asked,
                             const uint8_t* out, uint8_t* in) = 0;
  virtual unsigned eeprom_size() const = 0;
  virtual uint8_t eeprom_read(Nanos now, unsigned address) = 0;
  virtual void eeprom_write(Nanos now, unsigned address, uint8_t value) = 0;

  /// The memory that loops and Linux would share (hybrid/protocol/window.h), made and empty before
  /// the first access; null where no part plays a program of Linux.
  virtual void* fifo_window() = 0;
  /// The loops' side has moved something of which some program wanted to know.
  virtual void fifo_tell(Nanos now) = 0;

  // Lines: wires that lead to another board. Its devices are told what this board's make of the
  // wire, and the other way round.
  /// A line from this pin; before the first access. Its number.
  virtual unsigned line(unsigned pin) = 0;
  /// What everything but the line itself makes of its wire.
  virtual LineState line_state(unsigned line) const = 0;
  /// The other end is like this from now on.
  virtual void line_drive(Nanos now, unsigned line, LineState state) = 0;
  /// A byte whose stop bit ends now has come over such a wire.
  virtual void serial_arrive(Nanos now, unsigned port, uint8_t byte) = 0;
  /// The rate of a port, 0 when it is not begun.
  virtual uint32_t serial_baud(unsigned port) const = 0;

  // For a run that people watch and touch (simulation/live).
  /// Tells of all pins from now on; it must outlive the devices.
  virtual void observe(PinObserver& observer) = 0;
  virtual PinView pin_view(unsigned pin) const = 0;
  virtual std::vector<PartView> part_views() const = 0;
  /// What is to be seen of a part now, by its number in part_views(): a JSON object. Changes
  /// nothing: the run goes on as if nobody had looked. `since`: when it was last looked at.
  virtual std::string part_live(size_t part, Nanos since) const = 0;
  /// Why this cannot be done; empty: it can.
  virtual std::string why_not(const Touch& touch) const = 0;
  /// Does what can be done, now.
  virtual void touch(Nanos now, const Touch& touch) = 0;

  /// Facts of the parts for the report: a JSON object, keyed by part name, keys sorted, the same
  /// bytes for the same run. Closes the wave file. The last call but those below.
  virtual std::string finish(Nanos end) = 0;
  /// Of the bytes that were read from a port so many did not reach the sketch (SerialPort::lost).
  /// Once, at the end.
  virtual void serial_lost(unsigned port, uint64_t no_room, uint64_t overrun, uint64_t unheard) = 0;
  /// Facts of the serial ports: a JSON array, one object per port, and per line that was taken.
  virtual std::string serial_facts() const = 0;
  /// Who drove what until now.
  virtual WiringFacts wiring_facts() const = 0;
  /// Sentences worth showing to the user (two outputs on one wire, …), in order of their first
  /// instant.
  virtual std::vector<std::string> notices() const = 0;
};

}  // namespace hocket::sim
