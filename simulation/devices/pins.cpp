// The board's pins and wires: see pins.h.

#include "simulation/devices/pins.h"

#include <algorithm>

#include "simulation/devices/pin.h"

namespace hocket::sim {

std::string pin_name(unsigned pin) {
  return pinout::is_analog(pin) ? "A" + std::to_string(pin - pinout::kAnalogBase)
                                : "D" + std::to_string(pin);
}

Pins::Pins(EventQueue& events, Waves& waves, DeviceSink& sink, uint64_t seed)
    : events_(events), waves_(waves), sink_(sink), noise_(seed, "board analog inputs") {
  signals_.fill(Waves::kNoSignal);
  wires_.resize(pinout::kPins);
  for (unsigned pin = 0; pin < pinout::kPins; ++pin) {
    wire_of_[pin] = pin;
    wires_[pin].pins = {pin};
    pins_.push_back(std::make_unique<Pin>(*this, pin));
  }
}

Pins::~Pins() = default;

void Pins::join(unsigned pin, unsigned other) {
  const unsigned kept = wire_of_[pin], merged = wire_of_[other];
  if (kept == merged) return;
  for (const unsigned moved : wires_[merged].pins) {
    wire_of_[moved] = kept;
    wires_[kept].pins.push_back(moved);
  }
  for (const Driver driver : wires_[merged].drivers) {
    drivers_[driver].wire = kept;
    wires_[kept].drivers.push_back(driver);
  }
  wires_[merged] = {};
  for (const unsigned each : wires_[kept].pins) use(each);
}

bool Pins::joined(unsigned pin, unsigned other) const {
  return wire_of_[pin] == wire_of_[other];
}

/// The first driver of a pin is the pin itself; later ones are parts.
Pins::Driver Pins::add_driver(unsigned pin, bool main) {
  const auto driver = static_cast<Driver>(drivers_.size());
  Wire& wire = wires_[wire_of_[pin]];
  drivers_.push_back({wire_of_[pin]});
  wire.drivers.push_back(driver);
  if (driver >= pinout::kPins) {
    wire.part_drives |= main;
    use(pin);
  }
  return driver;
}

Pins::Driver Pins::add_line(unsigned pin) {
  const Driver driver = add_driver(pin, /*main=*/false);
  drivers_[driver].is_line = true;
  return driver;
}

bool Pins::driven(unsigned pin) const {
  const Wire& wire = wires_[wire_of_[pin]];
  return wire.part_drives || std::ranges::any_of(wire.drivers, [this](Driver each) {
           const DriverState& state = drivers_[each];
           const bool resistors_count = each < pinout::kPins || state.is_line;
           return state.drove >= (resistors_count ? Drive::WeakLow : Drive::Source);
         });
}

bool Pins::driven_besides(Driver driver) const {
  return std::ranges::any_of(wires_[drivers_[driver].wire].drivers, [this, driver](Driver each) {
    return each != driver && drivers_[each].drove != Drive::None;
  });
}

bool Pins::driven_by_part(unsigned pin) const {
  return wires_[wire_of_[pin]].part_drives;
}

void Pins::listen(unsigned pin, PinListener& listener, unsigned terminal) {
  wires_[wire_of_[pin]].listeners.push_back({&listener, terminal});
  use(pin);
}

Waves::Signal Pins::signal(unsigned pin) {
  use(pin);
  return signals_[pin];
}

/// A pin appears in the wave file once anything uses it.
void Pins::use(unsigned pin) {
  if (used_[pin]) return;
  used_[pin] = 1;
  signals_[pin] = waves_.wire("board", pin_name(pin), pin, wires_[wire_of_[pin]].shown);
}

void Pins::drive(Nanos now, Driver driver, Drive drive, int64_t microvolts) {
  DriverState& state = drivers_[driver];
  if (state.drive == drive && state.microvolts == microvolts) return;
  state.drive = drive;
  state.microvolts = microvolts;
  state.drove = std::max(state.drove, drive);
  resolve(now, state.wire);
}

LineState Pins::others(Driver driver) const {
  LineState strongest;
  bool low = false;
  for (const Driver other : wires_[drivers_[driver].wire].drivers) {
    const DriverState& state = drivers_[other];
    if (other == driver) continue;
    low = low || state.drive == Drive::Low;
    if (state.drive > strongest.drive) strongest = {state.drive, state.microvolts};
  }
  return low ? LineState{Drive::Low} : strongest;  // against a high output it reads 0
}

void Pins::resolve(Nanos now, unsigned number) {
  Wire& wire = wires_[number];
  std::array<bool, 6> has{};
  int64_t source = 0;
  for (const Driver driver : wire.drivers) {
    const DriverState& state = drivers_[driver];
    has[static_cast<size_t>(state.drive)] = true;
    if (state.drive == Drive::Source) source = state.microvolts;
  }
  const auto any = [&has](Drive drive) { return has[static_cast<size_t>(drive)]; };
  if (any(Drive::High) && any(Drive::Low)) {
    note_contention(now, wire);
    show(now, wire, 'x', 0);
  } else if (any(Drive::High) || any(Drive::Low)) {
    show(now, wire, any(Drive::High) ? '1' : '0', any(Drive::High) ? pinout::kSupplyMicrovolts : 0);
  } else if (any(Drive::Source)) {
    show(now, wire, source >= pinout::kThresholdMicrovolts ? '1' : '0', source);
  } else if (any(Drive::WeakHigh) || any(Drive::WeakLow)) {
    // Pull-ups and pull-downs are equally strong: together they give half the supply, which reads
    // high.
    const int64_t volts = !any(Drive::WeakHigh) ? 0
                          : any(Drive::WeakLow) ? pinout::kSupplyMicrovolts / 2
                                                : pinout::kSupplyMicrovolts;
    show(now, wire, any(Drive::WeakHigh) ? '1' : '0', volts);
  } else {
    show(now, wire, 'z', 0);
  }
  for (const Wire::Connection& each : wire.listeners) each.listener->redriven(now, each.terminal);
}

void Pins::show(Nanos now, Wire& wire, char shown, int64_t microvolts) {
  wire.microvolts = microvolts;
  if (wire.shown == shown) return;
  const bool was_high = wire.shown == '1', high = shown == '1';
  wire.shown = shown;
  for (const unsigned pin : wire.pins) {
    level_[pin] = high ? 1 : 0;
    if (used_[pin]) waves_.set(now, signals_[pin], shown);
    if (observer_ != nullptr) observer_->pin_changed(now, pin, shown);
  }
  if (was_high == high) return;
  for (const unsigned pin : wire.pins) {
    detectors_[pin].changed(now, high);
    look(now, pin);
  }
  for (const Wire::Connection& each : wire.listeners)
    each.listener->level_changed(now, each.terminal, high);
}

PinView Pins::view(unsigned pin) const {
  return {wires_[wire_of_[pin]].shown, pins_[pin]->use()};
}

void Pins::look(Nanos now, unsigned pin) {
  const bool asks = detectors_[pin].asks();
  if (asks == asks_[pin]) return;
  asks_[pin] = asks;
  const unsigned line = line_of_[pin];
  asking_[line] += asks ? 1 : -1u;
  if (asking_[line] == (asks ? 1 : 0)) sink_.pins_ask(now, line, asks);
}

unsigned Pins::asking(unsigned line, unsigned from) const {
  for (unsigned i = 0; asking_[line] > 0 && i < pinout::kPins; ++i) {
    const unsigned pin = (from + i) % pinout::kPins;
    if (asks_[pin] && line_of_[pin] == line) return pin;
  }
  return pinout::kPins;
}

Edges Pins::watch(Nanos now, unsigned pin, sys::EdgeMode mode, unsigned line) {
  use(pin);
  const Edges rest = release(now, pin);
  line_of_[pin] = static_cast<uint8_t>(line);
  static_cast<void>(detectors_[pin].watch(now, mode, level(pin)));
  look(now, pin);
  return rest;
}

Edges Pins::release(Nanos now, unsigned pin) {
  const Edges rest = detectors_[pin].release();
  look(now, pin);
  return rest;
}

Edges Pins::take(Nanos now, unsigned pin, uint64_t most) {
  const Edges taken = detectors_[pin].take(now, most);
  look(now, pin);
  return taken;
}

void Pins::mask(Nanos now, unsigned pin) {
  detectors_[pin].mask();
  look(now, pin);
}

void Pins::unmask(Nanos now, unsigned pin) {
  detectors_[pin].unmask(now, level(pin));
  look(now, pin);
}

void Pins::note_contention(Nanos now, Wire& wire) {
  if (wire.contended) return;
  wire.contended = true;
  notices_.push_back("two outputs drove " + wire_name(wire) +
                     " in different directions (first at " + decimal(static_cast<int64_t>(now), 6) +
                     " ms); it read 0 meanwhile: make one of them an input");
}

std::string Pins::wire_name(const Wire& wire) const {
  std::string name = wire.pins.size() == 1 ? "pin " : "the wire of pins ";
  for (size_t i = 0; i < wire.pins.size(); ++i)
    name += (i == 0 ? "" : ", ") + pin_name(wire.pins[i]);
  return name;
}

void Pins::tell_written(Nanos now, unsigned pin) {
  for (const Wire::Connection& each : wires_[wire_of_[pin]].listeners)
    each.listener->written(now, each.terminal);
}

bool Pins::set_mode(Nanos now, unsigned pin, sys::PinMode mode) {
  if (!pinout::exists(pin) || mode > sys::PinMode::OutputOpenDrain) return false;
  use(pin);
  pins_[pin]->set_mode(now, mode);
  return true;
}

bool Pins::write(Nanos now, unsigned pin, bool high) {
  if (!pinout::exists(pin)) return false;
  use(pin);
  pins_[pin]->write(now, high);
  tell_written(now, pin);
  return true;
}

bool Pins::pwm(Nanos now, unsigned pin, uint32_t value, uint32_t maximum) {
  if (!pinout::exists(pin) || !pinout::has_pwm(pin) || maximum == 0) return false;
  use(pin);
  pins_[pin]->pwm(now, pinout::pwm_period(pin), value, maximum);
  tell_written(now, pin);
  return true;
}

bool Pins::tone(Nanos now, unsigned pin, uint32_t hertz, uint32_t duration_ms) {
  if (!pinout::exists(pin) || hertz == 0 || hertz > pinout::kHighestTone) return false;
  use(pin);
  pins_[pin]->tone(now, hertz, duration_ms);
  return true;
}

bool Pins::stop_tone(Nanos now, unsigned pin) {
  if (!pinout::exists(pin)) return false;
  pins_[pin]->stop_tone(now);
  return true;
}

bool Pins::servo(Nanos now, unsigned pin, uint32_t pulse_us) {
  if (!pinout::exists(pin) || Nanos{pulse_us} * 1000 >= pinout::kServoPeriod) return false;
  use(pin);
  pins_[pin]->servo(now, Nanos{pulse_us} * 1000);
  return true;
}

/// A floating input reads noise around a third of the range, like an open input near mains.
int Pins::convert(Nanos now, unsigned pin, unsigned bits) {
  if (!pinout::exists(pin) || !pinout::is_analog(pin) || bits == 0 || bits > 16) return 0;
  use(pin);
  const Wire& wire = wires_[wire_of_[pin]];
  for (const Wire::Connection& each : wire.listeners) each.listener->sampled(now, each.terminal);
  constexpr int64_t kCodes = 1 << pinout::kConverterBits;
  const int64_t code = wire.shown == 'z' ? static_cast<int64_t>(noise_.between(250, 449))
                                         : wire.microvolts * kCodes / pinout::kSupplyMicrovolts;
  const auto result = static_cast<unsigned>(std::clamp<int64_t>(code, 0, kCodes - 1));
  return static_cast<int>(bits >= pinout::kConverterBits
                              ? result << (bits - pinout::kConverterBits)
                              : result >> (pinout::kConverterBits - bits));
}

}  // namespace hocket::sim
