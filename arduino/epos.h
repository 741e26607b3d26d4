// For programs written for EPOS: its time services, and the few other names that their examples
// use. docs/reference/time-services.md lists the differences.
//
//   int main()            runs in a loop of its own: 30 ms in every 100 ms, and idle time;
//                         number 1; or as HOCKET_MAIN_LOOP says
//   Thread                as in hocket/Thread.h, and may use idle time
//   Alarm                 handlers run in the timer interrupt where the board can, with 200 us
//                         in every 1 ms, or as HOCKET_ALARM_INTERRUPT or HOCKET_ALARM_LOOP says
//   OStream cout;         Serial at 115200 baud; the first output opens it
//   CPU::out8(Machine::IO::PORTA, value)
//                         sets eight pins, bit 0 first: those of HOCKET_PORTA, by default 2 to 9
//
// Source: "Temporal Event Management in EPOS", Figures 3, 4 and 6.
#pragma once

#if !defined(HOCKET_ALARM_LOOP) && !defined(HOCKET_ALARM_INTERRUPT)
#define HOCKET_ALARM_INTERRUPT 200us, 1ms
#endif
#ifndef HOCKET_THREAD_BUDGET
#define HOCKET_THREAD_BUDGET                                                  \
  ::hocket::defaults::share_of(::hocket::defaults::kThreads, HOCKET_THREADS), \
      ::hocket::defaults::kThreads.period, background()
#endif
#include "TimeServices.h"

#ifndef HOCKET_MAIN_LOOP
#define HOCKET_MAIN_LOOP 1, 30, 100, background()
#endif
#ifndef HOCKET_PORTA
#define HOCKET_PORTA 2, 3, 4, 5, 6, 7, 8, 9
#endif

// --- main() ---

/// The board already has a main(), so this one gets another symbol for the linker. For the compiler
/// it stays main(), which returns 0 where it has no return statement.
int main() __asm__("hocket_program_main");
extern "C" int hocket_program_main();

namespace hocket::services {

HOCKET_SERVICE_LOOP_(MainLoop, "epos.h", HOCKET_MAIN_LOOP)

template <unsigned k>
void MainLoop<k>::body() {
#ifdef __AVR__
  // The kernel works up to 110 us at each release of this loop. main() begins after that, so alarms
  // that it sets first, whose periods divide the loop's, are not due in that time.
  delayMicroseconds(120);
#endif
  if (hocket_program_main() != 0) sys::fault("main() has returned something else than 0");
  for (;;) sys::park_until_ns(kNever);
}
template struct MainLoop<0>;

}  // namespace hocket::services

// --- Output ---

class OStream {
 public:
  constexpr OStream() = default;

  /// Prints a value in the present base, as Serial does. Blocks while Serial has no room.
  template <class Value>
  OStream& operator<<(const Value& value) {
    begin();
    if constexpr (__is_integral(Value) && !__is_same(Value, char) && !__is_same(Value, bool)) {
      Serial.print(value, base_);
    } else {
      Serial.print(value);
    }
    return *this;
  }
  OStream& operator<<(OStream& (*manipulate)(OStream&)) { return manipulate(*this); }

  OStream& end_line() {
    begin();
    Serial.println();
    return *this;
  }
  OStream& base(int base) {
    base_ = base;
    return *this;
  }

 private:
  static void begin() {
    if (begun_) return;
    Serial.begin(115200);
    begun_ = true;
  }

  inline static bool begun_ = false;
  int base_ = DEC;
};

inline OStream& endl(OStream& stream) {
  return stream.end_line();
}
inline OStream& dec(OStream& stream) {
  return stream.base(DEC);
}
inline OStream& hex(OStream& stream) {
  return stream.base(HEX);
}

// --- Ports ---

struct Machine {
  struct IO {
    enum Port : uint8_t { PORTA };
  };
};

struct CPU {
  /// Sets the port's pins one after another. The first call makes them outputs.
  static void out8(Machine::IO::Port, uint8_t value) {
    static constexpr uint8_t kPins[] = {HOCKET_PORTA};
    static_assert(sizeof kPins == 8, "HOCKET_PORTA names eight pins");
    static bool prepared = false;
    for (const uint8_t pin : kPins) {
      if (!prepared) pinMode(pin, OUTPUT);
      digitalWrite(pin, value & 1);
      value = static_cast<uint8_t>(value >> 1);
    }
    prepared = true;
  }
};
