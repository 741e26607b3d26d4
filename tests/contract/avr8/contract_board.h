// The contract suite's board on 8-bit AVR: an ATmega328P at 16 MHz.
//
// HOCKET_SUITE_STATISTICS (0 or 1) says whether the kernel keeps statistics: the suite is to pass
// both ways. HOCKET_TICK: on the periodic time base, with ticks of 500 us.
#pragma once

#include <avr/pgmspace.h>

#include "arduino/cores/avr8/kernel_costs.h"
#include "kernel/sched/vcpu_policy.h"
#include "kernel/task/kernel.h"
#include "kernel/time/periodic_tick.h"
#include "ports/avr8/port.h"

namespace hocket::contract {

struct Machine {
  static constexpr uint32_t kCyclesPerSecond = 16'000'000;
  static constexpr unsigned kPrescaler = 8;
  static constexpr port::Costs<int32_t> kCosts = uno::kCosts;
  [[noreturn]] static void halt(const char* reason);
};

struct Board {
#ifdef HOCKET_TICK
  using Port = PeriodicTick<avr8::Avr8Port<Machine>, TickOf<1'000>>;
#else
  using Port = avr8::Avr8Port<Machine>;
#endif
  static constexpr unsigned kSlowness = 10;
  static constexpr unsigned kPause = 0;
  static constexpr unsigned kSlots = 6;
  static constexpr unsigned kMostThreads = 3;  // of a test
  static constexpr size_t kTestStack = 176;
  static constexpr Port::Ticks kMinimumBudget = 2 * Machine::kCosts.longest_masked;

  // Pins 2 and 8, as outputs: they interrupt all the same (data sheet, 13.2).
  static constexpr avr8::Lines::Line kTestLines[] = {avr8::Lines::Line::Int0,
                                                     avr8::Lines::Line::PinsB};
  static void prepare_lines() {
    PORTD |= 1 << PD2;
    DDRD |= 1 << PD2;
    DDRB |= 1 << PB0;
    PCMSK0 = 1 << PCINT0;
  }
  static void raise(avr8::Lines::Line line) {
    if (line == avr8::Lines::Line::Int0) {
      PORTD &= static_cast<uint8_t>(~(1 << PD2));
      PORTD |= 1 << PD2;
    } else {
      PORTB ^= 1 << PB0;
    }
  }

  struct Config {
    static constexpr unsigned kMaxAlarms = 2;
    static constexpr KernelOptions kOptions{.statistics = HOCKET_SUITE_STATISTICS != 0};
    using Trace = NoTrace;
    template <class Observer>
    using Policy = VcpuPolicy<Port::Ticks, kSlots, uno::kRefills, Observer, PortCharges<Port>>;
  };
  using System = Kernel<Port, Config>;

  static char constant_character(const char* at) { return static_cast<char>(pgm_read_byte(at)); }
};

}  // namespace hocket::contract

// 2 KiB of RAM are for the tests, not for their texts.
#define HOCKET_CONSTANT_TEXT(text)                                                  \
  [] {                                                                              \
    [[gnu::section(".progmem.data")]] static constexpr char constant_text[] = text; \
    return static_cast<const char*>(constant_text);                                 \
  }()
