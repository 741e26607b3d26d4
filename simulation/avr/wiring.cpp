#include "simulation/avr/wiring.h"

#include <algorithm>

namespace hocket::avr {
namespace {

// Addresses of registers in data memory (data sheet, chapter 36).
struct PortRegisters {
  char name;
  uint16_t direction, output;
};
constexpr PortRegisters kPorts[] = {{'D', 0x2a, 0x2b}, {'B', 0x24, 0x25}, {'C', 0x27, 0x28}};
constexpr unsigned kFirstPin[] = {0, 8, 14};
constexpr unsigned kPinsOf[] = {8, 6, 6};
constexpr uint16_t kAdcsra = 0x7a;
constexpr uint16_t kAdmux = 0x7c;
constexpr uint16_t kUcsr0a = 0xc0;
constexpr uint16_t kUcsr0b = 0xc1;
constexpr uint16_t kUbrr0 = 0xc4;

/// A pin's number in a scenario: those of a Mega, whose A0 is 54.
constexpr unsigned device_pin(unsigned pin) {
  return pin < 14 ? pin : pin - 14 + 54;
}

/// A timer's comparator, and the register and bit that give a pin to it (COMnx1).
struct Pwm {
  unsigned pin;
  char timer;
  unsigned comparator;
  uint16_t control;
  uint8_t bit;
};
constexpr Pwm kPwm[] = {{3, '2', 1, 0xb0, 0x20},  {5, '0', 1, 0x44, 0x20},
                        {6, '0', 0, 0x44, 0x80},  {9, '1', 0, 0x80, 0x80},
                        {10, '1', 1, 0x80, 0x20}, {11, '2', 0, 0xb0, 0x80}};

struct Place {
  char port;
  unsigned bit;
};
constexpr Place place(unsigned pin) {
  return pin < 8 ? Place{'D', pin} : pin < 14 ? Place{'B', pin - 8} : Place{'C', pin - 14};
}

}  // namespace

Wiring::Wiring(Mcu& mcu, sim::Devices& devices)
    : mcu_(mcu),
      devices_(devices),
      two_wire_(mcu.avr(), devices),
      spi_(mcu.avr(), devices, [this] { told_ = true; }) {
  for (const Pwm& pwm : kPwm) {
    mcu_.on_compare(pwm.timer, pwm.comparator, [this, pwm](bool high) {
      if ((mcu_.data(pwm.control) & pwm.bit) != 0) pwm_changed(pwm.pin, high);
    });
  }
  mcu_.on_serial([this](uint8_t byte) {
    told_ = true;
    byte &= mcu_.receiver().data_bits();
    devices_.serial_write(nanos(mcu_.cycle()), 0, &byte, 1);
  });
  for (unsigned pin = 0; pin < kPins; ++pin) {
    devices_.pin_mode(0, device_pin(pin), sys::PinMode::Input);
  }
}

bool Wiring::update() {
  outputs();
  converter();
  serial();
  if (!told_ && mcu_.cycle() < next_event_) return false;
  devices_.advance(nanos(mcu_.cycle()));
  const bool moved = inputs();
  schedule();
  return moved;
}

void Wiring::outputs() {
  for (unsigned i = 0; i < 3; ++i) {
    const uint8_t direction = mcu_.data(kPorts[i].direction);
    const uint8_t output_bits = mcu_.data(kPorts[i].output);
    const uint8_t changed =
        static_cast<uint8_t>((direction ^ ports_[2 * i]) | (output_bits ^ ports_[2 * i + 1]));
    if (changed == 0) continue;
    ports_[2 * i] = direction;
    ports_[2 * i + 1] = output_bits;
    for (unsigned bit = 0; bit < kPinsOf[i]; ++bit) {
      if ((changed >> bit & 1) == 0) continue;
      output(kFirstPin[i] + bit, (direction >> bit & 1) != 0, (output_bits >> bit & 1) != 0);
    }
  }
}

void Wiring::output(unsigned pin, bool driven, bool latch) {
  const Nanos now = nanos(mcu_.cycle());
  told_ = true;
  using sys::PinMode;
  if (driven) {
    // In this order a pin that becomes an output has its level at once, without the former one.
    devices_.pin_write(now, device_pin(pin), latch);
    devices_.pin_mode(now, device_pin(pin), PinMode::Output);
  } else {
    devices_.pin_mode(now, device_pin(pin), latch ? PinMode::InputPullup : PinMode::Input);
  }
}

void Wiring::pwm_changed(unsigned pin, bool high) {
  told_ = true;
  devices_.pin_write(nanos(mcu_.cycle()), device_pin(pin), high);
}

/// A conversion begins: the voltage of that instant counts.
void Wiring::converter() {
  constexpr uint8_t kStart = 0x40;
  const bool converting = (mcu_.data(kAdcsra) & kStart) != 0;
  if (converting && !converting_) {
    const unsigned channel = mcu_.data(kAdmux) & 0x0f;
    if (channel < 8) {  // 6 and 7 are no digital pins
      told_ = true;
      const int value = devices_.analog_read(nanos(mcu_.cycle()), device_pin(14 + channel), 10);
      // The library rounds down on the way back, so up here.
      mcu_.set_analog(channel, (static_cast<uint32_t>(value) * 5000 + 1022) / 1023);
    }
  }
  converting_ = converting;
}

void Wiring::serial() {
  constexpr uint8_t kTransmitter = 0x08;
  const bool on = (mcu_.data(kUcsr0b) & kTransmitter) != 0;
  if (!on && !transmitter_) return;
  const unsigned divider = (mcu_.data16(kUbrr0) & 0x0fffu) + 1u;
  const unsigned cycles = on ? ((mcu_.data(kUcsr0a) & 0x02) != 0 ? 8 : 16) * divider : 0;
  if (cycles == bit_cycles_) return;
  transmitter_ = on;
  bit_cycles_ = cycles;
  told_ = true;
  const Nanos now = nanos(mcu_.cycle());
  if (!on) return devices_.serial_end(now, 0);
  devices_.serial_begin(now, 0, kCyclesPerSecond / cycles);
}

bool Wiring::inputs() {
  told_ = false;
  bool moved = false;
  for (unsigned pin = 0; pin < kPins; ++pin) {
    const Place at = place(pin);
    const uint8_t level = devices_.pin_level(device_pin(pin)) ? 1 : 0;
    if (level == seen_[pin]) continue;
    seen_[pin] = level;
    mcu_.set_pin(at.port, at.bit, level != 0);
    moved = true;
  }
  const Nanos now = nanos(mcu_.cycle());
  if (!transmitter_) return moved;
  while (devices_.serial_available(now, 0) > 0) {
    mcu_.receiver().receive(static_cast<uint8_t>(devices_.serial_read(now, 0)));
  }
  return moved;
}

void Wiring::schedule() {
  const Nanos next = std::min(devices_.next_event(), devices_.serial_data_at(0));
  constexpr Nanos kNever = UINT64_MAX;
  next_event_ = next == kNever ? UINT64_MAX : std::max(cycles_at(next), mcu_.cycle() + 1);
}

}  // namespace hocket::avr
