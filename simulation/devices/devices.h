// The simulated board's devices as the processor sees them: pins, converters, timers, serial ports.
//
// This is hardware, not kernel. It is compiled without the block clock and costs no virtual time by
// itself (the machine charges each access, `ports/host/machine.h`). Every call carries the virtual
// time of the access. Over all cores these times never decrease, because the machine lets a core
// access a device only once all other cores have reached the same instant. So parts are simulated
// lazily: each call first brings every part up to `now`, then acts.
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

/// How strongly something drives a wire: pull resistors, a voltage, an output; in order of
/// strength.
enum class Drive : uint8_t { None, WeakLow, WeakHigh, Source, Low, High };

/// The result of all drivers of a wire. `microvolts`: of a Source.
struct LineState {
  Drive drive = Drive::None;
  int64_t microvolts = 0;
  bool operator==(const LineState&) const = default;
};

/// Callbacks from the devices to the program that runs the board.
class DeviceSink {
 public:
  virtual ~DeviceSink() = default;
  /// Serial port `port` has sent one byte; `when` is the end of its stop bit.
  virtual void serial_out(Nanos when, unsigned port, uint8_t byte) = 0;
  /// The level of a line of the pin block from `when` on. It is high while some edge detector that
  /// is routed to it asks.
  virtual void pins_ask(Nanos /*when*/, unsigned /*line*/, bool /*high*/) {}
};

/// Lines of the pin block: each detector is routed to one.
inline constexpr unsigned kPinLines = 8;

/// The edges that a detector has counted, and the instant of the first one.
struct Edges {
  uint64_t count = 0;
  Nanos first = 0;
};

/// The result of an I²C transfer, and how long it keeps the bus busy.
struct I2cAnswer {
  sys::I2cEnd end = sys::I2cEnd::Failed;
  size_t received = 0;
  Nanos lasts = 0;
};

/// The devices cannot be created or cannot continue; what() is a sentence for the user.
class DeviceError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The flat scenario is unusable; what() names the line and the error.
class ScenarioError : public DeviceError {
 public:
  ScenarioError(unsigned line, const std::string& text)
      : DeviceError("scenario line " + std::to_string(line) + ": " + text), line_(line) {}
  unsigned line() const { return line_; }

 private:
  unsigned line_;
};

/// What drove which pins in a run that is over. Shows wiring mistakes.
struct WiringFacts {
  struct Idle {
    std::string part;
    std::vector<unsigned> pins;  // the pins that the part reads
  };
  struct Loose {
    std::string part;
    unsigned pin;
  };
  std::vector<unsigned> driven;    // by the sketch: as outputs or with pull resistors
  std::vector<unsigned> undriven;  // used, but driven by nothing
  std::vector<Idle> idle;          // parts of which no pin was driven
  std::vector<Loose> loose;        // contacts to ground whose pin was never pulled up
};

struct DeviceOptions {
  uint64_t seed = 1;
  std::string scenario;  // text of the flat scenario (empty: bare board with nothing on its pins)
  std::string vcd_file;  // empty: no wave file
  std::string input{};   // sent to port 0 as soon as it is begun
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

  /// Brings all parts to `now`. The last call passes the end of the run.
  virtual void advance(Nanos now) = 0;

  /// The instant up to which everything is simulated; during advance(), how far it has come.
  virtual Nanos reached() const = 0;

  /// The earliest instant at which anything changes by itself. Before it, no level of a pin and no
  /// byte waiting at a port changes unless one of the calls below acts. UINT64_MAX: never.
  virtual Nanos next_event() const = 0;
  /// What pin_read would return at the instant of the last call. It is not an access: the pin does
  /// not appear in the wave file because of it.
  virtual bool pin_level(unsigned pin) const = 0;

  // Pins: like hocket::sys's calls of the same names.
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

  // Edge detectors, one for each pin (edge_detector.h). Each call reads or changes the state as of
  // `now`. A pin that does not exist has no edges, and calls for it change nothing.
  virtual bool edges_possible(unsigned pin) const = 0;
  /// The first pin from `from` on, wrapping round, that asks on a line; pin_count(): none.
  virtual unsigned edges_asking(Nanos now, unsigned line, unsigned from) = 0;
  /// Starts watching the pin, unmasked, for a line (below kPinLines). Returns what the former mode
  /// had counted.
  virtual Edges edges_watch(Nanos now, unsigned pin, sys::EdgeMode mode, unsigned line) = 0;
  /// Stops watching the pin.
  virtual Edges edges_release(Nanos now, unsigned pin) = 0;
  /// Takes `most` of the waiting edges at most.
  virtual Edges edges_take(Nanos now, unsigned pin, uint64_t most) = 0;
  virtual void edges_mask(Nanos now, unsigned pin) = 0;
  /// Unmasks the pin. It interrupts at once if it has edges.
  virtual void edges_unmask(Nanos now, unsigned pin) = 0;
  /// All edges seen, taken or not, as of the last access; those of them that were not taken; and
  /// those for which the detector had no room.
  virtual uint64_t edges_counted(unsigned pin) const = 0;
  virtual Edges edges_waiting(unsigned pin) const = 0;
  virtual uint64_t edges_overflowed(unsigned pin) const = 0;

  // Serial ports: a 64-byte transmit buffer drained at the baud rate, and a 64-byte receive buffer
  // filled by the scenario. No call waits: the kernel blocks the loop until `room_at`.
  virtual unsigned serial_count() const = 0;
  /// `buffer`: size of the receive buffer, up to 65,536 bytes; 0: the usual 64.
  virtual bool serial_begin(Nanos now, unsigned port, uint32_t baud, uint32_t buffer = 0) = 0;
  virtual void serial_end(Nanos now, unsigned port) = 0;
  virtual size_t serial_available(Nanos now, unsigned port) = 0;
  virtual size_t serial_room(Nanos now, unsigned port) = 0;
  virtual int serial_read(Nanos now, unsigned port) = 0;
  virtual int serial_peek(Nanos now, unsigned port) = 0;
  /// Takes as many bytes as fit and returns how many. 0 with serial_room() == 0 means full. For a
  /// port that was not begun, both are 0 and `serial_begun` is false.
  virtual size_t serial_write(Nanos now, unsigned port, const uint8_t* data, size_t size) = 0;
  virtual bool serial_begun(unsigned port) const = 0;
  /// The earliest instant at which `bytes` (1 … 64) of the transmit buffer are free: exact unless
  /// more is written meanwhile. A byte occupies its place until its stop bit ends, so room for 64
  /// means that all has been sent. UINT64_MAX for a port that is not begun with bytes queued.
  virtual Nanos serial_room_at(unsigned port, size_t bytes) const = 0;
  /// The bytes that were written and not sent, in the order of sending.
  virtual std::vector<uint8_t> serial_waiting(unsigned port) const = 0;
  /// When to look for a received byte again: never later than the next byte's arrival, but earlier
  /// if a part may answer what is being sent (look again then). UINT64_MAX: nothing arrives unless
  /// the port sends or is begun first; ask again after any serial_write or serial_begin on this
  /// port. For a line at pins it covers only the byte in progress.
  virtual Nanos serial_data_at(unsigned port) const = 0;

  // Lines at any two pins (serial_at_pins.h): their ports follow serial_count().
  /// The port of the line at these pins, new or existing; -1: all lines are taken, or there is no
  /// pin.
  virtual int serial_line(Nanos now, unsigned rx, unsigned tx, bool inverted) = 0;
  /// Starts listening with an empty buffer, or stops. No effect on a port that is not a line.
  virtual void serial_listen(Nanos now, unsigned port, bool on) = 0;
  /// Whether a byte of the line was lost to a full buffer since the last call.
  virtual bool serial_overflowed(Nanos now, unsigned port) = 0;

  // Buses: like hocket::sys's calls of the same names, but no call waits. A transfer is made as of
  // `now` and keeps the bus busy for the returned time. The pointers in `asked` are not used: `out`
  // and `in` replace them, with the sizes in `asked`.
  virtual unsigned i2c_count() const = 0;
  virtual I2cAnswer i2c_transfer(Nanos now, unsigned bus, const sys::I2cTransfer& asked,
                                 const uint8_t* out, uint8_t* in) = 0;
  // The steps of a transfer on bus 0, for a processor whose own interface makes them (i2c_bus.h).
  // They return whether the address or the byte was acknowledged, or the byte that was read.
  virtual bool i2c_begin(Nanos now, uint8_t address, bool reads) = 0;
  virtual bool i2c_write(Nanos now, uint8_t byte) = 0;
  virtual uint8_t i2c_read(Nanos now) = 0;
  virtual void i2c_stop(Nanos now) = 0;
  /// When a start condition, or the byte whose step was just made, is complete. It takes `lasts` of
  /// clock time from now, and longer if a device holds the bus. UINT64_MAX: a line stays low.
  virtual Nanos i2c_start_ends(Nanos now, Nanos lasts) = 0;
  virtual Nanos i2c_byte_ends(Nanos now, Nanos lasts) = 0;
  /// Whether a device holds SDA low during this time, so that the byte is lost.
  virtual bool i2c_data_held(Nanos from, Nanos until) const = 0;
  virtual unsigned spi_count() const = 0;
  virtual Nanos spi_transfer(Nanos now, unsigned bus, const sys::SpiTransfer& asked,
                             const uint8_t* out, uint8_t* in) = 0;
  virtual unsigned eeprom_size() const = 0;
  virtual uint8_t eeprom_read(Nanos now, unsigned address) = 0;
  virtual void eeprom_write(Nanos now, unsigned address, uint8_t value) = 0;

  /// The memory that loops and Linux share (hybrid/protocol/window.h), initialised before the first
  /// access; null if no part plays a Linux program.
  virtual void* fifo_window() = 0;
  /// The loops' side has moved a record, and some program wanted to be told.
  virtual void fifo_tell(Nanos now) = 0;

  // Lines: wires to another board. Each board's devices are told the state of the other end.
  /// Creates a line at this pin and returns its number. Before the first access.
  virtual unsigned line(unsigned pin) = 0;
  /// The state of the line's wire without the line itself.
  virtual LineState line_state(unsigned line) const = 0;
  /// The state of the other end from now on.
  virtual void line_drive(Nanos now, unsigned line, LineState state) = 0;
  /// A byte whose stop bit ends now has arrived over such a wire.
  virtual void serial_arrive(Nanos now, unsigned port, uint8_t byte) = 0;
  /// The baud rate of a port; 0: not begun.
  virtual uint32_t serial_baud(unsigned port) const = 0;

  // For an interactive run (simulation/live).
  /// Reports all pins to the observer from now on. It must outlive the devices.
  virtual void observe(PinObserver& observer) = 0;
  virtual PinView pin_view(unsigned pin) const = 0;
  virtual std::vector<PartView> part_views() const = 0;
  /// The visible state of a part now, by its index in part_views(): a JSON object. Does not
  /// influence the run. `since`: the instant of the previous look.
  virtual std::string part_live(size_t part, Nanos since) const = 0;
  /// Why the touch is impossible; empty: it is possible.
  virtual std::string why_not(const Touch& touch) const = 0;
  /// Carries out a touch now, if it is possible.
  virtual void touch(Nanos now, const Touch& touch) = 0;

  /// Facts of the parts for the report: a JSON object, keyed by part name, keys sorted, the same
  /// bytes for the same run. Closes the wave file. No calls but those below may follow.
  virtual std::string finish(Nanos end) = 0;
  /// How many of the bytes that were read from a port did not reach the sketch (SerialPort::lost).
  /// Once, at the end.
  virtual void serial_lost(unsigned port, uint64_t no_room, uint64_t overrun, uint64_t unheard) = 0;
  /// Facts of the serial ports: a JSON array, one object per port, and per line that was taken.
  virtual std::string serial_facts() const = 0;
  /// What has driven which pins until now.
  virtual WiringFacts wiring_facts() const = 0;
  /// Sentences for the user (two outputs on one wire, …), in the order of their first instant.
  virtual std::vector<std::string> notices() const = 0;
};

}  // namespace hocket::sim
