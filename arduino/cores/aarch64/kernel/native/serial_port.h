// A board's own serial port on a PL011: queues in both directions, a byte to look ahead.
#pragma once

#include "ports/aarch64/interrupts.h"

namespace hocket {

/// `Uart` is a drivers::Pl011, fed with `kClock` Hz, interrupting as `kInterrupt`, handled on core
/// 0.
template <class Port, class Uart, uint32_t kClock, uint32_t kInterrupt>
class SerialPort {
 public:
  static void init() {
    const port::LineUse use{.trigger = port::Trigger::Level, .level = port::Level::Ordinary};
    if (!Port::line_attach(kInterrupt, &serve, nullptr, use)) Port::halt("the UART has no line");
    Port::line_unmask(kInterrupt);
  }
  /// The line's handler.
  static void serve(void*) {
    const Guard guard;
    Uart::interrupt();
  }

  static bool begin(uint32_t baud) {
    const Guard guard;
    begun_ = Uart::init(baud, kClock);
    ahead_ = kNothing;
    return begun_;
  }
  static bool begun() { return begun_; }

  static size_t write(const uint8_t* data, size_t size) {
    const Guard guard;
    return begun_ ? Uart::queue_bytes(data, size) : 0;
  }
  static size_t room() {
    const Guard guard;
    return Uart::room();
  }
  static bool idle() { return !begun_ || Uart::idle(); }

  static size_t available() {
    const Guard guard;
    return Uart::available() + (ahead_ == kNothing ? 0 : 1);
  }
  static int read() {
    const Guard guard;
    const int byte = look();
    ahead_ = kNothing;
    return byte;
  }
  static int peek() {
    const Guard guard;
    return look();
  }

 private:
  static constexpr int kNothing = -1;

  /// The ordinary level masked, and other cores kept out: the handler does so, too.
  class Guard {
   public:
    Guard() : state_(Port::ordinary_save()) { Port::lock(lock_); }
    ~Guard() {
      Port::unlock(lock_);
      Port::ordinary_restore(state_);
    }
    Guard(const Guard&) = delete;
    Guard& operator=(const Guard&) = delete;

   private:
    typename Port::IrqState state_;
  };

  static int look() {
    uint8_t byte;
    if (ahead_ == kNothing && Uart::take_byte(byte)) {
      ahead_ = byte;
      Uart::resume();
    }
    return ahead_;
  }

  inline static typename Port::Lock lock_{};
  inline static bool begun_ = false;
  inline static int ahead_ = kNothing;
};

}  // namespace hocket
