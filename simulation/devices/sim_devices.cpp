// Combines the devices of the simulated board: event queue, pins, serial ports, parts, wave file.
//
// Every access first runs the events up to its instant; if none is due, that is one comparison.

#include <algorithm>
#include <csignal>
#include <exception>
#include <map>
#include <utility>

#include "simulation/devices/devices.h"
#include "simulation/devices/eeprom.h"
#include "simulation/devices/event_queue.h"
#include "simulation/devices/facts.h"
#include "simulation/devices/fifo_window.h"
#include "simulation/devices/i2c_bus.h"
#include "simulation/devices/pinout.h"
#include "simulation/devices/pins.h"
#include "simulation/devices/serial_at_pins.h"
#include "simulation/devices/serial_port.h"
#include "simulation/devices/spi_bus.h"
#include "simulation/devices/touch.h"
#include "simulation/devices/waves.h"
#include "simulation/parts/part.h"

namespace hocket::sim {
namespace {

class SimDevices final : public Devices {
 public:
  SimDevices(const DeviceOptions& options, DeviceSink& sink);

  void advance(Nanos now) override { events_.run_until(now); }
  Nanos reached() const override { return events_.now(); }
  Nanos next_event() const override { return events_.next(); }
  bool pin_level(unsigned pin) const override { return pinout::exists(pin) && pins_.level(pin); }

  unsigned pin_count() const override { return pinout::kPins; }
  unsigned analog_base() const override { return pinout::kAnalogBase; }
  unsigned analog_count() const override { return pinout::kAnalogPins; }
  bool pin_mode(Nanos now, unsigned pin, sys::PinMode mode) override {
    return pins_.set_mode(at(now, pin), pin, mode);
  }
  bool pin_write(Nanos now, unsigned pin, bool high) override {
    return pins_.write(at(now, pin), pin, high);
  }
  int pin_read(Nanos now, unsigned pin) override {
    at(now, pin);
    return pinout::exists(pin) ? pins_.read(pin) : 0;
  }
  int analog_read(Nanos now, unsigned pin, unsigned bits) override {
    return pins_.convert(at(now, pin), pin, bits);
  }
  bool pwm_write(Nanos now, unsigned pin, uint32_t value, uint32_t maximum) override {
    return pins_.pwm(at(now, pin), pin, value, maximum);
  }
  bool tone_start(Nanos now, unsigned pin, uint32_t hertz, uint32_t duration_ms) override {
    return pins_.tone(at(now, pin), pin, hertz, duration_ms);
  }
  bool tone_stop(Nanos now, unsigned pin) override { return pins_.stop_tone(at(now, pin), pin); }
  bool servo_write(Nanos now, unsigned pin, uint32_t pulse_us) override {
    return pins_.servo(at(now, pin), pin, pulse_us);
  }

  bool edges_possible(unsigned pin) const override { return pinout::exists(pin); }
  Edges edges_watch(Nanos now, unsigned pin, sys::EdgeMode mode, unsigned line) override {
    const Nanos instant = at(now);
    return pinout::exists(pin) ? pins_.watch(instant, pin, mode, line) : Edges{};
  }
  Edges edges_release(Nanos now, unsigned pin) override {
    const Nanos instant = at(now);
    return pinout::exists(pin) ? pins_.release(instant, pin) : Edges{};
  }
  Edges edges_take(Nanos now, unsigned pin, uint64_t most) override {
    const Nanos instant = at(now);
    return pinout::exists(pin) ? pins_.take(instant, pin, most) : Edges{};
  }
  unsigned edges_asking(Nanos now, unsigned line, unsigned from) override {
    at(now);
    return pins_.asking(line, from);
  }
  void edges_mask(Nanos now, unsigned pin) override {
    const Nanos instant = at(now);
    if (pinout::exists(pin)) pins_.mask(instant, pin);
  }
  void edges_unmask(Nanos now, unsigned pin) override {
    const Nanos instant = at(now);
    if (pinout::exists(pin)) pins_.unmask(instant, pin);
  }
  uint64_t edges_counted(unsigned pin) const override {
    return pinout::exists(pin) ? pins_.edges_counted(pin) : 0;
  }
  Edges edges_waiting(unsigned pin) const override {
    return pinout::exists(pin) ? pins_.edges_waiting(pin) : Edges{};
  }
  uint64_t edges_overflowed(unsigned pin) const override {
    return pinout::exists(pin) ? pins_.edges_overflowed(pin) : 0;
  }

  unsigned serial_count() const override { return pinout::kSerialPorts; }
  bool serial_begin(Nanos now, unsigned port, uint32_t baud, uint32_t buffer) override {
    SerialPort* const p = port_of(port);
    if (p == nullptr || !p->begin(at(now), baud, buffer)) return false;
    if (has(port) && !input_[port].empty()) p->put(events_.now(), std::exchange(input_[port], {}));
    return true;
  }
  void serial_end(Nanos now, unsigned port) override {
    if (SerialPort* const p = port_of(port)) p->end(at(now));
  }
  size_t serial_available(Nanos now, unsigned port) override {
    events_.run_until(now);
    SerialPort* const p = port_of(port);
    return p != nullptr ? p->available() : 0;
  }
  size_t serial_room(Nanos now, unsigned port) override {
    events_.run_until(now);
    SerialPort* const p = port_of(port);
    return p != nullptr ? p->room() : 0;
  }
  int serial_read(Nanos now, unsigned port) override {
    events_.run_until(now);
    SerialPort* const p = port_of(port);
    return p != nullptr ? p->read() : -1;
  }
  int serial_peek(Nanos now, unsigned port) override {
    events_.run_until(now);
    SerialPort* const p = port_of(port);
    return p != nullptr ? p->peek() : -1;
  }
  size_t serial_write(Nanos now, unsigned port, const uint8_t* data, size_t size) override {
    SerialPort* const p = port_of(port);
    return p != nullptr ? p->write(at(now), data, size) : 0;
  }
  bool serial_begun(unsigned port) const override {
    const SerialPort* const p = port_of(port);
    return p != nullptr && p->begun();
  }
  Nanos serial_room_at(unsigned port, size_t bytes) const override {
    const SerialPort* const p = port_of(port);
    return p != nullptr ? p->room_at(bytes) : kNever;
  }
  std::vector<uint8_t> serial_waiting(unsigned port) const override {
    return has(port) ? ports_[port]->waiting() : std::vector<uint8_t>{};
  }
  Nanos serial_data_at(unsigned port) const override {
    const SerialPort* const p = port_of(port);
    return p != nullptr ? p->data_at() : kNever;
  }

  int serial_line(Nanos now, unsigned rx, unsigned tx, bool inverted) override;
  void serial_listen(Nanos now, unsigned port, bool on) override {
    at(now);
    if (SerialAtPins* const line = line_of(port)) line->listen(on);
  }
  bool serial_overflowed(Nanos now, unsigned port) override {
    at(now);
    SerialAtPins* const line = line_of(port);
    return line != nullptr && line->overflowed();
  }

  unsigned i2c_count() const override { return pinout::kI2cBuses; }
  I2cAnswer i2c_transfer(Nanos now, unsigned bus, const sys::I2cTransfer& asked, const uint8_t* out,
                         uint8_t* in) override {
    const Nanos instant = at(now);
    return bus < i2c_.size() ? i2c_[bus].transfer(instant, asked, out, in) : I2cAnswer{};
  }
  bool i2c_begin(Nanos now, uint8_t address, bool reads) override {
    return i2c_[0].begin(at(now), address, reads);
  }
  bool i2c_write(Nanos now, uint8_t byte) override { return i2c_[0].write(at(now), byte); }
  uint8_t i2c_read(Nanos now) override { return i2c_[0].read(at(now)); }
  void i2c_stop(Nanos now) override { i2c_[0].stop(at(now)); }
  Nanos i2c_start_ends(Nanos now, Nanos lasts) override {
    return i2c_[0].start_ends(at(now), lasts);
  }
  Nanos i2c_byte_ends(Nanos now, Nanos lasts) override { return i2c_[0].byte_ends(at(now), lasts); }
  bool i2c_data_held(Nanos from, Nanos until) const override {
    return i2c_[0].data_held(from, until);
  }
  unsigned spi_count() const override { return pinout::kSpiBuses; }
  Nanos spi_transfer(Nanos now, unsigned bus, const sys::SpiTransfer& asked, const uint8_t* out,
                     uint8_t* in) override {
    const Nanos instant = at(now);
    return bus < spi_.size() ? spi_[bus].transfer(instant, asked, out, in) : 0;
  }
  unsigned eeprom_size() const override { return Eeprom::kSize; }
  uint8_t eeprom_read(Nanos now, unsigned address) override {
    at(now);
    return eeprom_.read(address);
  }
  void eeprom_write(Nanos now, unsigned address, uint8_t value) override {
    at(now);
    eeprom_.write(address, value);
  }

  void* fifo_window() override { return fifos_.memory(); }
  void fifo_tell(Nanos now) override { fifos_.tell(at(now)); }

  unsigned line(unsigned pin) override { return pins_.add_line(pin); }
  LineState line_state(unsigned line) const override { return pins_.others(line); }
  void line_drive(Nanos now, unsigned line, LineState state) override {
    pins_.drive(at(now), line, state.drive, state.microvolts);
  }
  void serial_arrive(Nanos now, unsigned port, uint8_t byte) override {
    at(now);
    if (has(port)) ports_[port]->receive(byte);
  }
  uint32_t serial_baud(unsigned port) const override {
    return has(port) ? ports_[port]->baud() : 0;
  }

  void observe(PinObserver& observer) override { pins_.observe(observer); }
  PinView pin_view(unsigned pin) const override {
    return pinout::exists(pin) ? pins_.view(pin) : PinView{};
  }
  std::vector<PartView> part_views() const override;
  std::string part_live(size_t part, Nanos since) const override;
  std::string why_not(const Touch& touch) const override;
  void touch(Nanos now, const Touch& touch) override;

  std::string finish(Nanos end) override;
  void serial_lost(unsigned port, uint64_t no_room, uint64_t overrun, uint64_t unheard) override {
    if (has(port)) ports_[port]->lost(no_room, overrun, unheard);
  }
  std::string serial_facts() const override;
  WiringFacts wiring_facts() const override;
  std::vector<std::string> notices() const override;

 private:
  static bool has(unsigned port) { return port < pinout::kSerialPorts; }
  /// The line at pins with this port number; null: none was taken.
  SerialAtPins* line_of(unsigned port) const {
    const unsigned line = port - pinout::kSerialPorts;
    return !has(port) && line < lines_.size() && lines_[line]->taken() ? lines_[line].get()
                                                                       : nullptr;
  }
  /// The board's port, or a line's.
  SerialPort* port_of(unsigned port) const {
    if (has(port)) return ports_[port].get();
    SerialAtPins* const line = line_of(port);
    return line != nullptr ? &line->port() : nullptr;
  }
  /// Brings everything to `now` and returns the instant to act at (an access in the past acts now).
  Nanos at(Nanos now) {
    events_.run_until(now);
    return events_.now();
  }

  /// The same for an access to a pin. Remembers a pin that the board lacks, for the notices.
  Nanos at(Nanos now, unsigned pin) {
    if (!pinout::exists(pin) && missing_count_ < kMostMissing) note_missing(pin);
    return at(now);
  }
  void note_missing(unsigned pin) {
    for (unsigned i = 0; i < missing_count_; ++i) {
      if (missing_[i] == pin) return;
    }
    missing_[missing_count_++] = pin;
  }

  // Recorded during an access, so nothing is allocated.
  static constexpr unsigned kMostMissing = 8;
  unsigned missing_[kMostMissing] = {};
  unsigned missing_count_ = 0;

  EventQueue events_;
  Waves waves_;
  Pins pins_;
  std::vector<std::unique_ptr<SerialPort>> ports_;
  std::vector<std::unique_ptr<SerialAtPins>> lines_;
  FifoWindow fifos_;
  std::array<I2cBus, pinout::kI2cBuses> i2c_;
  std::array<SpiBus, pinout::kSpiBuses> spi_;
  Eeprom eeprom_;
  Workbench bench_;
  std::vector<std::unique_ptr<Part>> parts_;
  std::array<std::string, pinout::kSerialPorts> input_;  // sent once its port is begun
  std::map<unsigned, Pins::Driver> touched_pins_;
};

WiringFacts SimDevices::wiring_facts() const {
  WiringFacts facts;
  for (unsigned pin = 0; pin < pinout::kPins; ++pin) {
    if (pins_.driven_by_sketch(pin)) facts.driven.push_back(pin);
    if (pins_.used(pin) && !pins_.driven(pin)) facts.undriven.push_back(pin);
  }
  for (const auto& part : parts_) {
    const std::vector<unsigned>& looks = part->looks_at();
    const auto driven = [this](unsigned pin) { return pins_.driven(pin); };
    if (!looks.empty() && std::ranges::none_of(looks, driven))
      facts.idle.push_back({part->name(), looks});
    if (const auto pin = part->loose_pin()) facts.loose.push_back({part->name(), *pin});
  }
  return facts;
}

std::vector<std::string> SimDevices::notices() const {
  std::vector<std::string> all = pins_.notices();
  for (unsigned i = 0; i < missing_count_; ++i) {
    // A negative number of the sketch arrives as a large one.
    all.push_back("the sketch uses pin " + std::to_string(static_cast<int>(missing_[i])) +
                  ", which this board lacks (it has 0 to " + std::to_string(pinout::kPins - 1) +
                  "): writing there does nothing, and it reads 0");
  }
  for (const auto& port : ports_) {
    if (std::string notice = port->notice(); !notice.empty()) all.push_back(std::move(notice));
  }
  for (const auto& line : lines_) {
    if (std::string notice = line->notice(); !notice.empty()) all.push_back(std::move(notice));
  }
  return all;
}

SimDevices::SimDevices(const DeviceOptions& options, DeviceSink& sink)
    : waves_(options.vcd_file),
      pins_(events_, waves_, sink, options.seed),
      bench_{events_, pins_, waves_, ports_, fifos_, i2c_, spi_, eeprom_, options.seed},
      input_{options.input} {
  for (unsigned port = 0; port < pinout::kSerialPorts; ++port)
    ports_.push_back(std::make_unique<SerialPort>(events_, sink, port));
  for (unsigned line = 0; line < sys::kSerialLines; ++line)
    lines_.push_back(std::make_unique<SerialAtPins>(events_, pins_, pinout::kSerialPorts + line));
  std::vector<Section> sections = read_sections(options.scenario);
  // Wires first: the pins of each wire must be known before parts connect.
  for (const bool wires : {true, false}) {
    for (Section& section : sections) {
      if ((section.type() == "wire") != wires) continue;
      parts_.push_back(make_part(bench_, section));
      bench_.parts[section.name()] = parts_.back().get();
    }
  }
  for (const auto& part : parts_) part->link();
  for (const auto& part : parts_) part->start();
}

int SimDevices::serial_line(Nanos now, unsigned rx, unsigned tx, bool inverted) {
  at(now);
  const auto there = [](unsigned pin) { return pinout::exists(pin) ? pin : SerialAtPins::kNoPin; };
  const SerialAtPins::Wires wanted{there(rx), there(tx), inverted};
  if (wanted.rx == SerialAtPins::kNoPin && wanted.tx == SerialAtPins::kNoPin) return -1;
  for (unsigned line = 0; line < lines_.size(); ++line) {
    if (!lines_[line]->taken()) lines_[line]->take(wanted);
    if (lines_[line]->wires() == wanted) return static_cast<int>(pinout::kSerialPorts + line);
  }
  return -1;
}

std::vector<PartView> SimDevices::part_views() const {
  std::vector<PartView> views;
  views.reserve(parts_.size());
  for (const auto& part : parts_) views.push_back(part->view());
  return views;
}

std::string SimDevices::part_live(size_t part, Nanos since) const {
  Facts facts;
  parts_.at(part)->live(facts, events_.now(), since);
  return facts.str();
}

std::string SimDevices::why_not(const Touch& touch) const {
  switch (touch.what) {
    case Touch::What::Set: {
      const auto part = bench_.parts.find(touch.part);
      if (part == bench_.parts.end()) return "there is no part " + json_string(touch.part);
      return part->second->why_not(touch);
    }
    case Touch::What::Pin:
      if (!pinout::exists(touch.number)) return "there is no such pin";
      if (pins_.driven_by_part(touch.number) && !touched_pins_.contains(touch.number))
        return "a part drives pin " + pin_name(touch.number) + " already: touch the part";
      return {};
    case Touch::What::Serial:
      return has(touch.number) ? "" : "there is no such serial port";
    case Touch::What::End:
      break;
  }
  return {};
}

void SimDevices::touch(Nanos now, const Touch& touch) {
  const Nanos instant = at(now);
  if (touch.what == Touch::What::Set) {
    const auto part = bench_.parts.find(touch.part);
    if (part != bench_.parts.end()) part->second->touch(instant, touch);
  } else if (touch.what == Touch::What::Pin && pinout::exists(touch.number)) {
    const auto [driver, fresh] = touched_pins_.try_emplace(touch.number, 0);
    if (fresh) driver->second = pins_.add_driver(touch.number, /*main=*/false);
    const Drive driven = !touch.level ? Drive::None : *touch.level ? Drive::High : Drive::Low;
    pins_.drive(instant, driver->second, driven);
  } else if (touch.what == Touch::What::Serial && has(touch.number)) {
    if (ports_[touch.number]->begun())
      ports_[touch.number]->put(instant, touch.text);
    else
      input_[touch.number] += touch.text;
  }
}

std::string SimDevices::finish(Nanos end) {
  events_.run_until(end);
  std::exception_ptr wrong;  // the first error; all parts still finish
  for (const auto& part : parts_) {
    try {
      part->ended(events_.now());
    } catch (const DeviceError&) {
      if (!wrong) wrong = std::current_exception();
    }
  }
  if (wrong) std::rethrow_exception(wrong);
  Facts all;
  for (const auto& part : parts_) {
    Facts facts;
    part->facts(facts, events_.now());
    all.json(part->name(), facts.str());
  }
  waves_.finish(events_.now());
  return all.str();
}

std::string SimDevices::serial_facts() const {
  std::string result = "[";
  const auto add = [&](const auto& each) {
    Facts facts;
    each.facts(facts, events_.now());
    if (result.size() > 1) result += ", ";
    result += facts.str();
  };
  for (const auto& port : ports_) add(*port);
  for (const auto& line : lines_) {
    if (line->taken()) add(*line);
  }
  return result + "]";
}

}  // namespace

std::unique_ptr<Devices> Devices::create(const DeviceOptions& options, DeviceSink& sink) {
  std::signal(SIGXFSZ, SIG_IGN);  // at the limit of a file's size write() then fails
  return std::make_unique<SimDevices>(options, sink);
}

}  // namespace hocket::sim
