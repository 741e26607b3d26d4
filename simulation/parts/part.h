// A part: it has a name, is wired to pins or a serial port, and has facts to report.
//
// To add a part: one file with a class derived from Part and its `make_…` function, one line in
// registry.cpp, and one entry in tools/hocket/scenario/schema.json (the checker reads it from
// there).
//
// Life of a part: constructor (takes its keys, connects itself) → link (finds other parts) → start
// (instant 0: first levels, first events) → level_changed / written / due at exact instants →
// ended → facts.
//
// A user of an interactive run sees live(), and touches what controls() names (simulation/live).
// Most parts have no controls. live() and facts() change nothing, so that a run does not depend on
// being viewed.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "simulation/devices/eeprom.h"
#include "simulation/devices/event_queue.h"
#include "simulation/devices/facts.h"
#include "simulation/devices/fifo_window.h"
#include "simulation/devices/i2c_bus.h"
#include "simulation/devices/pins.h"
#include "simulation/devices/random.h"
#include "simulation/devices/serial_port.h"
#include "simulation/devices/spi_bus.h"
#include "simulation/devices/touch.h"
#include "simulation/devices/waves.h"
#include "simulation/parts/section.h"

namespace hocket::sim {

class Part;

/// Everything that a part may use.
struct Workbench {
  EventQueue& events;
  Pins& pins;
  Waves& waves;
  std::vector<std::unique_ptr<SerialPort>>& ports;
  FifoWindow& fifos;
  std::array<I2cBus, pinout::kI2cBuses>& i2c;
  std::array<SpiBus, pinout::kSpiBuses>& spi;
  Eeprom& eeprom;
  uint64_t seed;
  std::map<std::string, Part*> parts{};
};

class Part : public EventTarget, public PinListener {
 public:
  Part(Workbench& bench, const Section& section)
      : bench_(bench), name_(section.name()), line_(section.line()) {}

  const std::string& name() const { return name_; }

  virtual void link() {}
  virtual void start() {}
  /// The run is over at `now`: updates the part to that instant, and saves what is kept in a file.
  /// Throws DeviceError if it cannot.
  virtual void ended(Nanos /*now*/) {}
  /// The part's facts at `now`.
  virtual void facts(Facts& facts, Nanos now) const = 0;
  /// The part's visible state at `now`; `since`: when it was last read.
  virtual void live(Facts& facts, Nanos now, Nanos /*since*/) const { this->facts(facts, now); }

  /// The pins that it listens to.
  const std::vector<unsigned>& looks_at() const { return looks_at_; }
  /// The pin that it pulls to ground at times and that was never pulled up; nullopt: none.
  virtual std::optional<unsigned> loose_pin() const { return {}; }

  /// The whole part, for a user of an interactive run.
  PartView view() const { return {name_, type_, wiring_, controls()}; }
  void wired(const Section& section) {
    type_ = section.type();
    wiring_ = section.wiring();
  }
  /// Why this control cannot be set so; empty: it can.
  std::string why_not(const Touch& touch) const;
  /// Sets the control.
  void touch(Nanos now, const Touch& touch);

  void due(Nanos, uint64_t) override {}
  void level_changed(Nanos, unsigned, bool) override {}

 protected:
  /// The controls: the same for the whole run, with their present values.
  virtual std::vector<Control> controls() const { return {}; }
  /// The control with this number now has this value: 0 or 1, or millionths within its bounds.
  virtual void turned(Nanos /*now*/, size_t /*control*/, int64_t /*value*/) {}
  static Control switched(bool closed, std::string name) {
    return {.name = std::move(name), .value = closed};
  }
  static Control number(std::string name, const char* unit, int64_t least, int64_t most,
                        int64_t value) {
    return {.name = std::move(name),
            .kind = Control::Kind::Number,
            .value = value,
            .least = least,
            .most = most,
            .unit = unit};
  }

  /// Listens to the pin's wire as `terminal`. The wave file shows it under `label` in the part's
  /// scope.
  void listen(unsigned pin, unsigned terminal, const std::string& label) {
    bench_.pins.listen(pin, *this, terminal);
    looks_at_.push_back(pin);
    bench_.waves.alias(name_, label, terminal, bench_.pins.signal(pin));
  }
  /// Creates a main driver on the pin's wire. Refuses a wire that another part drives.
  Pins::Driver claim(const Section& section, unsigned pin, const std::string& label) {
    if (bench_.pins.driven_by_part(pin))
      section.fail("drives pin " + pin_name(pin) + ", which another part drives already");
    const Pins::Driver driver = bench_.pins.add_driver(pin);
    bench_.waves.alias(name_, label, 0, bench_.pins.signal(pin));
    return driver;
  }
  SerialPort& port(Section& section) {
    return *bench_.ports[static_cast<size_t>(section.number("port", 0, pinout::kSerialPorts - 1))];
  }
  /// Connects it to the I²C bus at its `address`, or at the usual one of its kind.
  uint8_t connect_i2c(Section& section, I2cTarget& target, int64_t usual = -1) {
    const int64_t address = usual < 0
                                ? section.number("address", kLowestI2c, kHighestI2c)
                                : section.number_or("address", usual, kLowestI2c, kHighestI2c);
    if (!bench_.i2c[0].connect(static_cast<uint8_t>(address), target))
      section.fail("has an address that another part has on the same bus");
    hinder_i2c(section, target);
    return static_cast<uint8_t>(address);
  }
  /// How it holds up the bus: its `stretch` and `holds`.
  void hinder_i2c(Section& section, const I2cTarget& target);
  [[noreturn]] void fail(const std::string& why) const {
    throw ScenarioError(line_, "part " + name_ + " " + why);
  }

  Workbench& bench_;

 private:
  // Other addresses are reserved (UM10204, 3.1.12).
  static constexpr int64_t kLowestI2c = 0x08, kHighestI2c = 0x77;

  std::string name_;
  unsigned line_;
  std::string type_;
  std::vector<std::pair<std::string, unsigned>> wiring_;
  std::vector<unsigned> looks_at_;
};

/// Creates the part of a section. Throws ScenarioError for an unknown type and any other error.
std::unique_ptr<Part> make_part(Workbench& bench, Section& section);

}  // namespace hocket::sim
