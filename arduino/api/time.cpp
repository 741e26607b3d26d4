// The time functions of sketches: 32-bit milliseconds and microseconds from the system's clock.
#include "arduino/api/Common.h"
#include "arduino/compat/util/delay.h"
#include "arduino/runtime/system.h"

namespace sys = hocket::sys;

extern "C" {

// unsigned long has 64 bits on some boards. The value is cut to 32 bits so that `uint32_t`
// arithmetic stays right.
unsigned long millis(void) {
  return static_cast<uint32_t>(sys::now_ns() / 1000000);
}
unsigned long micros(void) {
  return static_cast<uint32_t>(sys::now_ns() / 1000);
}

void delay(unsigned long ms) {
  // Cut to 32 bits as on every Arduino: delay(-1) is 49 days, not an overflow.
  const uint32_t wait = static_cast<uint32_t>(ms);
  if (wait == 0) {
    sys::yield();
  } else {
    sys::sleep_until_ns(sys::now_ns() + uint64_t{wait} * 1000000);
  }
}

void delayMicroseconds(unsigned int us) {
  sys::spin_ns(uint64_t{us} * 1000);
}

void yield(void) {
  sys::yield();
}

void _delay_us(double us) {
  if (us > 0) sys::spin_ns(static_cast<uint64_t>(us * 1e3));
}
void _delay_ms(double ms) {
  if (ms > 0) sys::spin_ns(static_cast<uint64_t>(ms * 1e6));
}

}  // extern "C"
