// Enables a line whose handler has just been attached (storm.h).
#pragma once

#include <avr/io.h>

#include "arduino/cores/avr8/storm.h"

extern "C" uint16_t hocket_look_at_handlers() __attribute__((weak));
// Defined if SPI is linked (spi_bus.cpp): which lines of EIMSK a transaction keeps masked (0xff:
// all interrupts, by other means), and which of those are enabled at its end.
extern "C" uint8_t hocket_spi_closed __attribute__((weak));
extern "C" uint8_t hocket_spi_opens __attribute__((weak));
// clang for AVR emits these only as undefined
asm(".weak hocket_look_at_handlers\n.weak hocket_spi_closed, hocket_spi_opens");

// If handlers are attached: accounts for what they take in the kernel's sections (switch.S,
// kernel.cpp). Where the clock is read, this follows the reading: the entry of an interrupt, which
// ends there, takes no longer. Runs on main()'s stack, because not every call on a thread's stack
// has room for it.
asm(".section .text.hocket_act_upon_handlers,\"axG\",@progbits,hocket_act_upon_handlers,comdat\n"
    ".global hocket_act_upon_handlers\n"
    "hocket_act_upon_handlers:\n"
    " sbic 0x1e, 0\n rjmp 1f\n"  // kInIrq: already on main()'s stack
    " sbic 0x1e, 2\n rjmp 1f\n"  // kIdle: likewise
    " lds r24, hocket_idle_stack\n lds r25, hocket_idle_stack+1\n"
    " tst r25\n breq 1f\n"  // no loop runs yet
    " in r22, 0x3d\n in r23, 0x3e\n"
    " sbi 0x1e, 0\n"
    " out 0x3e, r25\n out 0x3d, r24\n"
    " push r22\n push r23\n"
    " call hocket_handlers_took\n"
    " pop r23\n pop r22\n"
    " out 0x3e, r23\n out 0x3d, r22\n"
    "hocket_own_stack_behind_handlers:\n"
    " cbi 0x1e, 0\n"
    " ret\n"
    "1: jmp hocket_handlers_took\n"
    ".global hocket_now_behind_handlers\n"
    "hocket_now_behind_handlers:\n"
    " push r24\n in r24, 0x3f\n"
    " call hocket_now_in_section\n"
    " .irp register, 22,23,24,25\n push r\\register\n .endr\n"
    " rcall hocket_act_upon_handlers\n"
    " .irp register, 25,24,23,22\n pop r\\register\n .endr\n"
    " pop r18\n out 0x3f, r18\n"
    " ret\n"
    ".text\n"
    ".weak hocket_handlers_took, hocket_now_in_section, hocket_idle_stack\n");
// Charges ticks (r24, r25) to the handlers' budget. storm.cpp does the rest.
asm(".section .text.hocket_handlers_pay,\"axG\",@progbits,hocket_handlers_pay,comdat\n"
    ".weak hocket_handlers_pay\n"
    "hocket_handlers_pay:\n"
    " lds r26, hocket_storm\n lds r27, hocket_storm+1\n"  // Storm::used
    " add r24, r26\n adc r25, r27\n brcc 1f\n ser r24\n ser r25\n"
    "1: sts hocket_storm, r24\n sts hocket_storm+1, r25\n ret\n"
    ".text\n");
// A loop that waits in its section holds handlers back, if there are any (storm.h).
asm(".section .text.hocket_hold_section,\"axG\",@progbits,hocket_hold_section,comdat\n"
    ".global hocket_hold_section, hocket_let_section\n"
    ".macro keep_and_call function\n"
    " .irp register, 1,18,19,20,21,22,23,24,25,26,27,30,31\n push r\\register\n .endr\n"
    " clr r1\n call \\function\n"
    " .irp register, 31,30,27,26,25,24,23,22,21,20,19,18,1\n pop r\\register\n .endr\n"
    " ret\n"
    ".endm\n"
    "hocket_hold_section: keep_and_call hocket_section_waits\n"
    "hocket_let_section: keep_and_call hocket_section_goes_on\n"
    ".purgem keep_and_call\n"
    ".text\n"
    ".weak hocket_section_waits, hocket_section_goes_on\n");

namespace hocket::uno {

/// If another loop's SPI transaction keeps this line masked: enables it at the end of the
/// transaction, and returns true. Masked.
inline bool waits_for_spi(uint8_t line) {
  if (&hocket_spi_closed == nullptr || hocket_spi_closed == 0xff) return false;
  if ((line & hocket_spi_closed) == 0) return false;
  hocket_spi_opens = static_cast<uint8_t>(hocket_spi_opens | line);
  return true;
}

/// Enables the line at once, or with the others at the refill: attaching in a loop must not bypass
/// storm control. Masked.
inline void let_in(LineSet line) {
  if (&hocket_look_at_handlers != nullptr && (TIMSK0 & 1 << OCIE0A) != 0) {
    hocket_storm.held |= line;
  } else {
    EIMSK = static_cast<uint8_t>(EIMSK | (line & ((1 << kFirstPort) - 1)));
    PCICR = static_cast<uint8_t>(PCICR | line >> kFirstPort);
  }
}

}  // namespace hocket::uno
