// Lets a line in whose handler has just been attached (storm.h).
#pragma once

#include <avr/io.h>

#include "arduino/cores/avr8/storm.h"

extern "C" void hocket_look_at_handlers() __attribute__((weak));
asm(".weak hocket_look_at_handlers");  // clang for AVR says only that it is undefined

// Where handlers are attached the kernel acts upon what they record (kernel.cpp).
asm(".section .text.hocket_act_upon_handlers,\"axG\",@progbits,hocket_act_upon_handlers,comdat\n"
    ".weak hocket_act_upon_handlers\n"
    "hocket_act_upon_handlers: jmp hocket_handlers_took\n"
    ".text\n"
    ".weak hocket_handlers_took\n");
// So many ticks (r24, r25) of their budget are used: the rest of the way is storm.cpp's.
asm(".section .text.hocket_handlers_pay,\"axG\",@progbits,hocket_handlers_pay,comdat\n"
    ".weak hocket_handlers_pay\n"
    "hocket_handlers_pay:\n"
    " lds r26, hocket_storm\n lds r27, hocket_storm+1\n"  // Storm::used
    " add r24, r26\n adc r25, r27\n brcc 1f\n ser r24\n ser r25\n"
    "1: sts hocket_storm, r24\n sts hocket_storm+1, r25\n ret\n"
    ".text\n");

namespace hocket::uno {

/// At once, or with the others at the refill: who attaches in a loop must not lift the control.
/// Masked.
inline void let_in(uint8_t line) {
  if (&hocket_look_at_handlers != nullptr && (TIMSK0 & 1 << OCIE0A) != 0) {
    hocket_storm.held |= line;
  } else {
    EIMSK = static_cast<uint8_t>(EIMSK | (line & ((1 << kFirstPort) - 1)));
    PCICR = static_cast<uint8_t>(PCICR | line >> kFirstPort);
  }
}

}  // namespace hocket::uno
