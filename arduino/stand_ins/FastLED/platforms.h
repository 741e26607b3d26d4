// Stands in for the file of this name in the library FastLED, which chooses the drivers for the
// processor (tools/hocket/stand_ins.py). These use the Arduino's own functions. Strips with a clock
// (APA102 and others) are driven by FastLED's driver for any processor, which uses FastPin.
#pragma once

#include "arduino/api/bits_out.h"
#include "arduino/runtime/system.h"
#include "fastled_delay.h"
#include "fl/chipsets/timing_traits.h"
#include "fl/system/fastpin_base.h"
#include "fl/system/pin.h"

#define HAS_HARDWARE_PIN_SUPPORT

namespace fl {

template <u8 kPin>
class HocketPin : public ValidPinBase {
 public:
  typedef volatile RwReg* port_ptr_t;
  typedef u8 port_t;

  static void setOutput() { ::pinMode(kPin, OUTPUT); }
  static void setInput() { ::pinMode(kPin, INPUT); }
  static void hi() { hocket::sys::pin_write(kPin, true); }
  static void lo() { hocket::sys::pin_write(kPin, false); }
  static void toggle() { hocket::sys::pin_write(kPin, hocket::sys::pin_read(kPin) == 0); }
  static void strobe() {
    toggle();
    toggle();
  }
  // A driver that saves the port's value for later writes it with these: it is the pin alone.
  static void hi(port_ptr_t) { hi(); }
  static void lo(port_ptr_t) { lo(); }
  static void set(port_t value) { hocket::sys::pin_write(kPin, value != 0); }
  static void fastset(port_ptr_t, port_t value) { set(value); }
  static port_t hival() { return 1; }
  static port_t loval() { return 0; }
  static port_ptr_t port() { return portOutputRegister(digitalPinToPort(kPin)); }
  static port_t mask() { return 1; }
};

#define HOCKET_PIN_(n) \
  template <>          \
  class FastPin<(n)> : public HocketPin<(n)> {};
#define HOCKET_PINS_(n) \
  HOCKET_PIN_(n) HOCKET_PIN_((n) + 1) HOCKET_PIN_((n) + 2) HOCKET_PIN_((n) + 3)
HOCKET_PINS_(0)
HOCKET_PINS_(4)
HOCKET_PINS_(8)
HOCKET_PINS_(12)
HOCKET_PINS_(16)
HOCKET_PINS_(20)
HOCKET_PINS_(24)
HOCKET_PINS_(28)
#undef HOCKET_PINS_
#undef HOCKET_PIN_

#define FL_CLOCKLESS_CONTROLLER_DEFINED 1

/// Strips without a clock: the clock of the system measures the pulses, so that no cycles are
/// counted. As with NeoPixel's driver, another loop that preempts this one makes a gap.
template <int kPin, typename Timing, EOrder kOrder = RGB, int kExtraBits = 0, bool kFlip = false,
          int kWait = 280>
class ClocklessController : public CPixelLEDController<kOrder> {
  static_assert(
      kExtraBits == 0,
      "this chip has bits besides those of its colours, which Hocket's driver for FastLED "
      "does not send: build it for the uno");

 public:
  void init() override {
    ::pinMode(kPin, OUTPUT);
    hocket::sys::pin_write(kPin, false);
  }
  u16 getMaxRefreshRate() const override { return 400; }

 protected:
  void showPixels(PixelController<kOrder>& pixels) override {
    static constexpr hocket_bit_lengths kBit = {
        static_cast<uint16_t>(Timing::T1), static_cast<uint16_t>(Timing::T1 + Timing::T2),
        static_cast<uint16_t>(Timing::T1 + Timing::T2 + Timing::T3)};
    wait_.wait();
    pixels.preStepFirstByteDithering();
    while (pixels.has(1)) {
      pixels.stepDithering();
      const u8 colours[] = {pixels.loadAndScale0(), pixels.loadAndScale1(), pixels.loadAndScale2()};
      hocket_bits_out(kPin, colours, sizeof colours, &kBit);
      pixels.advanceData();
    }
    wait_.mark();
  }

 private:
  CMinWait<kWait> wait_;
};

}  // namespace fl
