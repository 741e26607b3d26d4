#include "simulation/rp2040/devices/pins.h"

namespace hocket::rp2040 {
namespace {

// Pads (datasheet, 2.19.6.3).
constexpr uint32_t kPullDown = 1 << 2, kPullUp = 1 << 3, kInputEnable = 1 << 6,
                   kOutputDisable = 1 << 7, kPadBits = 0xff;
// Control (2.19.6.1).
constexpr uint32_t kFunctionField = 0x1f, kControlBits = 0x3003'331f;
constexpr unsigned kOutOverride = 8, kEnableOverride = 12, kInOverride = 16, kIrqOverride = 28;

void assign(uint32_t& word, unsigned pin, bool value) {
  word = (word & ~(1u << pin)) | (value ? 1u << pin : 0);
}

}  // namespace

void Pins::Override::set(unsigned pin, uint32_t field) {
  assign(invert, pin, field == 1);
  assign(low, pin, field == 2);
  assign(high, pin, field == 3);
}

void Pins::set_signal(Function function, Signal signal, Cycles now) {
  if (signals_[function] == signal) return;
  signals_[function] = signal;
  resolve(now);
}

void Pins::set_control(unsigned pin, uint32_t value, Cycles now) {
  control_[pin] = value & kControlBits;
  for (unsigned function = 0; function < kFunctions; ++function) {
    assign(given_[function], pin, (value & kFunctionField) == function);
  }
  out_.set(pin, value >> kOutOverride & 3);
  enable_.set(pin, value >> kEnableOverride & 3);
  in_.set(pin, value >> kInOverride & 3);
  interrupt_.set(pin, value >> kIrqOverride & 3);
  resolve(now);
}

void Pins::set_pad(unsigned pin, uint32_t value, Cycles now) {
  pads_[pin] = value & kPadBits;
  assign(pulled_up_, pin, (value & kPullUp) != 0);
  assign(pulled_down_, pin, (value & kPullDown) != 0);
  assign(readable_, pin, (value & kInputEnable) != 0);
  assign(never_driven_, pin, (value & kOutputDisable) != 0);
  resolve(now);
}

void Pins::connect(unsigned pin, bool high, Cycles now) {
  assign(connected_, pin, true);
  assign(outside_, pin, high);
  resolve(now);
}

void Pins::disconnect(unsigned pin, Cycles now) {
  assign(connected_, pin, false);
  resolve(now);
}

Pins::Signal Pins::from_devices() const {
  Signal all;
  for (unsigned function = 0; function < kFunctions; ++function) {
    all.level |= signals_[function].level & given_[function];
    all.enable |= signals_[function].enable & given_[function];
  }
  return all;
}

void Pins::resolve(Cycles now) {
  const Signal own = from_devices();
  const uint32_t driven = enable_.of(own.enable) & ~never_driven_ & kAll;
  // Both pulls together hold the level that there was (datasheet, 2.19.4).
  const uint32_t held = pulled_up_ & pulled_down_;
  const uint32_t pulled = (pulled_up_ & ~held) | (levels_ & held);
  const uint32_t undriven = (outside_ & connected_) | (pulled & ~connected_);
  const uint32_t levels = ((out_.of(own.level) & driven) | (undriven & ~driven)) & kAll;
  const bool changed = levels != levels_ || driven != driven_;
  levels_ = levels;
  driven_ = driven;
  const uint32_t inputs = in_.of(levels & readable_) & kAll;
  const bool input_changed = inputs != inputs_;
  inputs_ = inputs;
  if (input_changed && input_changed_) input_changed_(now);
  if (changed && changed_) changed_(now);
}

uint32_t Pins::status(unsigned pin) const {
  const Signal own = from_devices();
  const auto bit = [pin](uint32_t word, unsigned to) { return (word >> pin & 1) << to; };
  return bit(own.level, 8) | bit(out_.of(own.level), 9) | bit(own.enable, 12) | bit(driven_, 13) |
         bit(levels_ & readable_, 17) | bit(inputs_, 19) | bit(levels_ & readable_, 24) |
         bit(interrupt_inputs(), 26);
}

}  // namespace hocket::rp2040
