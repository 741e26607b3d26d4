// SREG on processors that have none: only the bit of the AVR's status register that lets handlers
// begin.
//
// `uint8_t kept = SREG; cli(); ...; SREG = kept;` ends the section only if this code has begun it.
#pragma once

#include <stdint.h>

#include "Interrupts.h"

#define SREG_I 7

extern "C" bool hocket_handlers_held(void);

namespace hocket {

class StatusRegister {
 public:
  operator uint8_t() const {  // NOLINT(google-explicit-constructor): reads as a number
    return hocket_handlers_held() ? 0 : kLetsIn;
  }
  const StatusRegister& operator=(uint8_t value) const {
    const bool lets_in = (value & kLetsIn) != 0;
    if (lets_in != hocket_handlers_held()) return *this;
    if (lets_in) {
      interrupts();
    } else {
      noInterrupts();
    }
    return *this;
  }
  const StatusRegister& operator|=(int bits) const {
    return *this = static_cast<uint8_t>(*this | bits);
  }
  const StatusRegister& operator&=(int bits) const {
    return *this = static_cast<uint8_t>(*this & bits);
  }

 private:
  static constexpr uint8_t kLetsIn = 1 << SREG_I;
};

inline constexpr StatusRegister status_register;

}  // namespace hocket

#define SREG (::hocket::status_register)
