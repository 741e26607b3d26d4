#include "simulation/avr/wiring.h"

#include <algorithm>

namespace hocket::avr {
namespace {

// Addresses of registers in data memory.
constexpr uint16_t kAdcsra = 0x7a;
constexpr uint16_t kAdcsrb = 0x7b;
constexpr uint16_t kAdmux = 0x7c;

}  // namespace

Wiring::Wiring(Mcu& mcu, sim::Devices& devices)
    : mcu_(mcu),
      chip_(mcu.chip()),
      devices_(devices),
      two_wire_(mcu.avr(), devices),
      spi_(mcu.avr(), devices, [this] { told_ = true; }) {
  for (const PwmModel& pwm : chip_.pwm) {
    const uint16_t control = chip_.timers[pwm.timer].control_a;
    mcu_.on_compare(static_cast<char>('0' + pwm.timer), pwm.comparator,
                    [this, pwm, control](bool high) {
                      if ((mcu_.data(control) & pwm.bit) != 0) pwm_changed(pwm.pin, high);
                    });
  }
  mcu_.on_serial([this](unsigned port, uint8_t byte) {
    told_ = true;
    byte &= mcu_.receiver(port).data_bits();
    devices_.serial_write(nanos(mcu_.cycle()), port, &byte, 1);
  });
  for (unsigned pin = 0; pin < chip_.pins; ++pin) {
    pin_at_[place_of(pin)] = static_cast<uint8_t>(pin);
    devices_.pin_mode(0, chip_.device_pin(pin), sys::PinMode::Input);
  }
}

bool Wiring::update() {
  outputs();
  converter();
  for (unsigned port = 0; port < chip_.uarts.size(); ++port) serial(port);
  if (!told_ && mcu_.cycle() < next_event_) return false;
  devices_.advance(nanos(mcu_.cycle()));
  const bool moved = inputs();
  schedule();
  return moved;
}

void Wiring::outputs() {
  for (unsigned i = 0; i < chip_.ports.size(); ++i) {
    const PortModel& port = chip_.ports[i];
    const uint8_t direction = mcu_.data(port.direction());
    const uint8_t output_bits = mcu_.data(port.output());
    const uint8_t changed =
        static_cast<uint8_t>((direction ^ ports_[2 * i]) | (output_bits ^ ports_[2 * i + 1]));
    if (changed == 0) continue;
    ports_[2 * i] = direction;
    ports_[2 * i + 1] = output_bits;
    for (unsigned bit = 0; bit < 8; ++bit) {
      if ((changed & port.pins & 1u << bit) == 0) continue;
      output(pin_at_[i << 4 | bit], (direction >> bit & 1) != 0, (output_bits >> bit & 1) != 0);
    }
  }
}

void Wiring::output(unsigned pin, bool driven, bool latch) {
  const Nanos now = nanos(mcu_.cycle());
  told_ = true;
  using sys::PinMode;
  if (driven) {
    // In this order a pin that becomes an output has its level at once, without the former one.
    devices_.pin_write(now, chip_.device_pin(pin), latch);
    devices_.pin_mode(now, chip_.device_pin(pin), PinMode::Output);
  } else {
    devices_.pin_mode(now, chip_.device_pin(pin), latch ? PinMode::InputPullup : PinMode::Input);
  }
}

void Wiring::pwm_changed(unsigned pin, bool high) {
  told_ = true;
  devices_.pin_write(nanos(mcu_.cycle()), chip_.device_pin(pin), high);
}

/// A conversion begins: the voltage of that instant counts.
void Wiring::converter() {
  constexpr uint8_t kStart = 0x40;
  const bool converting = (mcu_.data(kAdcsra) & kStart) != 0;
  if (converting && !converting_) {
    constexpr uint8_t kUpperHalf = 1 << 3;  // MUX5 of an ATmega2560: inputs 8 to 15
    const unsigned selected = mcu_.data(kAdmux) & 0x1f;
    const bool upper = chip_.pins > 20 && (mcu_.data(kAdcsrb) & kUpperHalf) != 0;
    if (selected < 8) {  // (6 and 7 of an ATmega328P are no digital pins)
      const unsigned channel = selected + (upper ? 8 : 0);
      told_ = true;
      const int value = devices_.analog_read(nanos(mcu_.cycle()),
                                             chip_.device_pin(chip_.first_analog + channel), 10);
      // The library rounds down on the way back, so up here.
      mcu_.set_analog(channel, (static_cast<uint32_t>(value) * 5000 + 1022) / 1023);
    }
  }
  converting_ = converting;
}

void Wiring::serial(unsigned port) {
  constexpr uint8_t kTransmitter = 0x08;
  const UartModel& uart = chip_.uarts[port];
  Line& line = lines_[port];
  const bool on = (mcu_.data(uart.control) & kTransmitter) != 0;
  if (!on && !line.transmitter) return;
  const unsigned divider = (mcu_.data16(uart.rate) & 0x0fffu) + 1u;
  const unsigned cycles = on ? ((mcu_.data(uart.status) & 0x02) != 0 ? 8 : 16) * divider : 0;
  if (cycles == line.bit_cycles) return;
  line.transmitter = on;
  line.bit_cycles = cycles;
  told_ = true;
  const Nanos now = nanos(mcu_.cycle());
  if (!on) return devices_.serial_end(now, port);
  devices_.serial_begin(now, port, kCyclesPerSecond / cycles);
}

bool Wiring::inputs() {
  told_ = false;
  bool moved = false;
  for (unsigned pin = 0; pin < chip_.pins; ++pin) {
    const uint8_t level = devices_.pin_level(chip_.device_pin(pin)) ? 1 : 0;
    if (level == seen_[pin]) continue;
    seen_[pin] = level;
    const uint8_t place = place_of(pin);
    mcu_.set_pin(chip_.ports[place >> 4].name, place & 7, level != 0);
    moved = true;
  }
  const Nanos now = nanos(mcu_.cycle());
  for (unsigned port = 0; port < chip_.uarts.size(); ++port) {
    if (!lines_[port].transmitter) continue;
    while (devices_.serial_available(now, port) > 0) {
      mcu_.receiver(port).receive(static_cast<uint8_t>(devices_.serial_read(now, port)));
    }
  }
  return moved;
}

void Wiring::schedule() {
  Nanos next = devices_.next_event();
  for (unsigned port = 0; port < chip_.uarts.size(); ++port) {
    next = std::min(next, devices_.serial_data_at(port));
  }
  constexpr Nanos kNever = UINT64_MAX;
  next_event_ = next == kNever ? UINT64_MAX : std::max(cycles_at(next), mcu_.cycle() + 1);
}

}  // namespace hocket::avr
