// The 30 pins: which device drives each, what is connected outside, and what devices read
// (datasheet, 2.19).
//
// All are handled at once, as bits of a word. A level is that of the driver; without one that of
// the outside, then that of the pull, then low. The two flip-flops before an input are not
// modelled: a device sees a level in the cycle in which it is made.
#pragma once

#include <array>
#include <cstdint>
#include <functional>

#include "simulation/rp2040/core/cycles.h"

namespace hocket::rp2040 {

class Pins {
 public:
  static constexpr unsigned kCount = 30;
  static constexpr uint32_t kAll = (1u << kCount) - 1;

  /// GPIOn_CTRL.FUNCSEL (table 2 of 1.4.3).
  enum Function : uint8_t {
    kJtag = 0,
    kSpi,
    kUart,
    kI2c,
    kPwm,
    kSio,
    kPio0,
    kPio1,
    kClock,
    kUsb,
    kFunctions,
  };
  /// What a device does to the pins, where these are given to it.
  struct Signal {
    uint32_t level = 0;
    uint32_t enable = 0;

    bool operator==(const Signal&) const = default;
  };

  Pins() {
    pads_.fill(kPadAfterReset);
    control_.fill(kNoFunction);
  }

  void set_signal(Function function, Signal signal, Cycles now);
  uint32_t control(unsigned pin) const { return control_[pin]; }
  void set_control(unsigned pin, uint32_t value, Cycles now);
  uint32_t pad(unsigned pin) const { return pads_[pin]; }
  void set_pad(unsigned pin, uint32_t value, Cycles now);
  /// The pins that are given to a device.
  uint32_t given_to(Function function) const { return given_[function]; }

  /// Drives a pin from outside. The chip's own driver is stronger.
  void connect(unsigned pin, bool high, Cycles now);
  void disconnect(unsigned pin, Cycles now);

  /// The level of each pin: the chip's own if it drives the pin, else that of what is outside.
  uint32_t levels() const { return levels_; }
  /// The pins that the chip drives.
  uint32_t driven() const { return driven_; }
  /// The pins with the chip's own pull up.
  uint32_t pulled_up() const { return pulled_up_; }
  /// What devices read.
  uint32_t inputs() const { return inputs_; }
  /// What the interrupts see.
  uint32_t interrupt_inputs() const { return interrupt_.of(inputs_); }
  /// GPIOn_STATUS.
  uint32_t status(unsigned pin) const;

  /// Called after a change: of a level or of who drives it.
  void on_change(std::function<void(Cycles now)> function) { changed_ = std::move(function); }
  /// Called after a change of what devices read.
  void on_input(std::function<void(Cycles now)> function) { input_changed_ = std::move(function); }

 private:
  static constexpr uint32_t kPadAfterReset = 0x56, kNoFunction = 0x1f;

  /// One of the four fields that replace a signal: as it is, inverted, low, high.
  struct Override {
    uint32_t invert = 0, low = 0, high = 0;

    void set(unsigned pin, uint32_t field);
    uint32_t of(uint32_t signal) const { return ((signal ^ invert) | high) & ~low; }
  };
  Signal from_devices() const;
  void resolve(Cycles now);

  std::array<Signal, kFunctions> signals_{};
  std::array<uint32_t, kFunctions> given_{};
  std::array<uint32_t, kCount> control_{};
  std::array<uint32_t, kCount> pads_{};
  Override out_, enable_, in_, interrupt_;
  uint32_t pulled_up_ = 0, pulled_down_ = kAll;
  uint32_t readable_ = kAll;   // input enabled
  uint32_t never_driven_ = 0;  // output disabled
  uint32_t connected_ = 0, outside_ = 0;
  uint32_t levels_ = 0, driven_ = 0, inputs_ = 0;
  std::function<void(Cycles)> changed_, input_changed_;
};

}  // namespace hocket::rp2040
