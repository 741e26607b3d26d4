// One pin's output stage: see pin.h.

#include "simulation/devices/pin.h"

namespace hocket::sim {

void Pins::Pin::set_mode(Nanos now, sys::PinMode mode) {
  mode_ = mode;
  // An input's timer is disconnected: a wave does not resume with a later OUTPUT.
  if (!is_output()) {
    train_ = Train::None;
    ++version_;
  }
  apply(now);
}

const char* Pins::Pin::use() const {
  switch (train_) {
    case Train::Pwm:
      return "pwm";
    case Train::Tone:
      return "tone";
    case Train::Servo:
      return "servo";
    case Train::None:
      break;
  }
  if (is_output()) return "out";
  return mode_ == sys::PinMode::InputPullup     ? "pullup"
         : mode_ == sys::PinMode::InputPulldown ? "pulldown"
                                                : "in";
}

void Pins::Pin::write(Nanos now, bool high) {
  stop(now, high);
}

void Pins::Pin::pwm(Nanos now, Nanos period, uint32_t value, uint32_t maximum) {
  if (!is_output()) mode_ = sys::PinMode::Output;
  if (value == 0 || value >= maximum) return stop(now, value != 0);
  const auto high = static_cast<Nanos>(static_cast<unsigned __int128>(period) * value / maximum);
  next_high_ = high == 0 ? 1 : high;
  if (train_ == Train::Pwm) return;
  period_ = period;
  start(now, Train::Pwm);
}

void Pins::Pin::tone(Nanos now, uint32_t hertz, uint32_t duration_ms) {
  if (!is_output()) mode_ = sys::PinMode::Output;
  hertz_ = hertz;
  start(now, Train::Tone);
  if (duration_ms == 0) return;
  end_ = now + Nanos{duration_ms} * 1'000'000;
  pins_.events_.schedule(end_, *this, version_);
}

void Pins::Pin::stop_tone(Nanos now) {
  if (train_ == Train::Tone) stop(now, false);
}

void Pins::Pin::servo(Nanos now, Nanos pulse) {
  if (pulse == 0) {
    if (train_ == Train::Servo) next_high_ = 0;  // the pulse in progress is completed
    return;
  }
  if (!is_output()) mode_ = sys::PinMode::Output;
  next_high_ = pulse;
  if (train_ == Train::Servo) return;
  period_ = pinout::kServoPeriod;
  start(now, Train::Servo);
}

void Pins::Pin::start(Nanos now, Train train) {
  ++version_;
  train_ = train;
  begin_ = now;
  end_ = kNever;
  edge_ = 0;
  due(now, version_);
}

void Pins::Pin::stop(Nanos now, bool high) {
  train_ = Train::None;
  ++version_;
  output(now, high);
}

void Pins::Pin::due(Nanos now, uint64_t token) {
  if (token != version_ || train_ == Train::None) return;
  if (now >= end_) return stop(now, false);
  const bool rises = edge_ % 2 == 0;
  if (rises && train_ != Train::Tone) {
    if (next_high_ == 0) return stop(now, false);
    high_ = next_high_;
  }
  ++edge_;
  output(now, rises);
  schedule_edge();
}

/// The instant of edge number `edge_`.
void Pins::Pin::schedule_edge() {
  Nanos offset = 0;
  if (train_ == Train::Tone)
    offset = static_cast<Nanos>(static_cast<unsigned __int128>(edge_) * 1'000'000'000u /
                                (2 * uint64_t{hertz_}));
  else
    offset = edge_ / 2 * period_ + (edge_ % 2 == 1 ? high_ : 0);
  // The end of a tone has its own event.
  if (begin_ + offset < end_) pins_.events_.schedule(begin_ + offset, *this, version_);
}

void Pins::Pin::output(Nanos now, bool high) {
  latch_ = high;
  apply(now);
}

void Pins::Pin::apply(Nanos now) {
  Drive drive = Drive::None;
  switch (mode_) {
    case sys::PinMode::Input:
      break;
    case sys::PinMode::InputPullup:
      drive = Drive::WeakHigh;
      break;
    case sys::PinMode::InputPulldown:
      drive = Drive::WeakLow;
      break;
    case sys::PinMode::Output:
      drive = latch_ ? Drive::High : Drive::Low;
      break;
    case sys::PinMode::OutputOpenDrain:
      drive = latch_ ? Drive::None : Drive::Low;
      break;
  }
  if (is_output()) pins_.drivers_[driver_].drove = Drive::High;  // even if it is released
  pins_.drive(now, driver_, drive);
}

}  // namespace hocket::sim
