// A serial line that brings bytes when the test says so: the product's UART driver and serial port
// on a model of the PL011, so that an instant can be swept over them and comes back in every run.
//
// The interrupt is a software-pended one, or the physical timer's; what its handler does is the
// product's own (arduino/surroundings/native/serial_port.h).
#pragma once

#include "arduino/surroundings/native/serial_port.h"
#include "board.h"
#include "drivers/pl011/pl011.h"
#include "ports/aarch64/interrupts.h"

namespace hocket::levels {

using Port = aarch64::Aarch64Port<machine::Board>;
using Interrupts = aarch64::Interrupts<Port>;
using Controller = Port::Controller;
using Ticks = Port::Ticks;

inline constexpr uint32_t kUartId = 33;
inline constexpr uint32_t kPhysicalTimerId = 30;  // BSA, «PPI assignments»
inline constexpr unsigned kBytes = 8;             // at which the FIFO's interrupt comes

/// The registers that a receiving PL011 answers from (DDI 0183G, 3.3.1 and 3.3.3).
struct LineBus {
  static constexpr uintptr_t kData = 0x00, kFlags = 0x18;
  static constexpr uint32_t kReceiveEmpty = 1 << 4;

  template <class Word>
  static Word read(uintptr_t address) {
    if (address == kFlags) return waiting == 0 ? kReceiveEmpty : 0;
    if (address != kData) return 0;
    waiting = waiting - 1;
    brought = brought + 1;
    return brought & 0xff;
  }
  template <class Word>
  static void write(uintptr_t, Word) {}
  static void publish() {}

  inline static volatile unsigned waiting = 0;  // bytes in the FIFO
  inline static volatile uint32_t brought = 0;  // read from it until now
};

using Uart = drivers::Pl011<0, 256, 256, LineBus>;
using Serial = SerialPort<Port, Uart, 24'000'000, kUartId>;

/// Nothing is on its way to this line: nobody waits.
inline void no_wait(uint64_t) {}

/// The line has brought a FIFO's worth of bytes, and the UART's handler runs.
inline void serve_line(void*) {
  LineBus::waiting = kBytes;
  Serial::serve(nullptr);
}

/// The physical timer of EL1: the second one, which the kernel leaves alone (DDI 0487, D11.2.4).
struct SecondTimer {
  static void set(Ticks instant) {
    asm volatile("msr cntp_cval_el0, %0\n msr cntp_ctl_el0, %1" ::"r"(instant), "r"(uint64_t{1}));
  }
  static void off() { asm volatile("msr cntp_ctl_el0, xzr"); }
  static Ticks count() {
    Ticks value;
    asm volatile("mrs %0, cntpct_el0" : "=r"(value));
    return value;
  }
};

/// Makes an interrupt of the distributor pending as if its line had risen (IHI 0069H,
/// GICD_ISPENDR).
inline void raise(uint32_t id) {
  Controller::set_pending(id);
}

/// Numbers that look random and are the same in every run (xorshift; Marsaglia 2003).
class Random {
 public:
  explicit constexpr Random(uint64_t seed) : state_(seed) {}
  uint64_t below(uint64_t limit) {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return (state_ >> 11) % limit;
  }

 private:
  uint64_t state_;
};

/// `iterations` of a loop that does nothing: two instructions each.
[[gnu::noinline]] inline void compute(uint64_t iterations) {
  for (uint64_t i = 0; i < iterations; ++i) asm volatile("");
}

}  // namespace hocket::levels
