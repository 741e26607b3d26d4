// Pin-change interrupts: one for all pins of a port (data sheet, 13.2.4 to 13.2.9). The pin is
// found by comparing with the levels that were read last.
//
// Each port has its own file (pin_change_b.cpp …), linked if a handler may be attached to one of
// its pins: the state, and the ways into what the ports share (pin_changes.S). Its vector leads
// there unless a library defines the vector (pin_change_vectors.S).
#pragma once

#include <stdint.h>

#include "arduino/api/Interrupts.h"
#include "arduino/cores/avr8/assembler_numbers.h"
#include "arduino/cores/avr8/let_in.h"

namespace hocket::uno {

/// pin_changes.S has its offsets.
template <uint8_t kPins>
struct [[gnu::packed]] PinChanges {
  uint8_t last;             // the levels that were read last
  uint8_t rising, falling;  // bits: the pins whose handlers want these edges
  struct [[gnu::packed]] {
    voidFuncPtrParam function;
    void* argument;
  } handlers[kPins];
};
static_assert(CHANGE == HOCKET_MODE_CHANGE && FALLING == HOCKET_MODE_FALLING &&
              RISING == HOCKET_MODE_RISING);
static_assert(__builtin_offsetof(PinChanges<8>, last) == HOCKET_CHANGES_LAST);
static_assert(__builtin_offsetof(PinChanges<8>, rising) == HOCKET_CHANGES_RISING);
static_assert(__builtin_offsetof(PinChanges<8>, falling) == HOCKET_CHANGES_FALLING);
static_assert(__builtin_offsetof(PinChanges<8>, handlers) == HOCKET_CHANGES_HANDLERS);
static_assert(sizeof(PinChanges<8>) == HOCKET_CHANGES_HANDLERS + 8 * 4);

}  // namespace hocket::uno

/// A function that enters a shared one with the port's state in Z and its number in r25.
#define HOCKET_PIN_CHANGES_ENTRY_(name, letter, number, shared) \
  asm(".section .text." #name                                   \
      ",\"ax\",@progbits\n"                                     \
      ".global " #name "\n" #name                               \
      ":\n"                                                     \
      " ldi r30, lo8(hocket_changes_" #letter                   \
      ")\n"                                                     \
      " ldi r31, hi8(hocket_changes_" #letter                   \
      ")\n"                                                     \
      " ldi r25, " #number                                      \
      "\n"                                                      \
      " jmp " #shared                                           \
      "\n"                                                      \
      " .text\n")

/// Defines everything of one port. `letter` occurs in the names of its functions (pins_arduino.h)
/// and its vector; `read` is the instruction that reads its levels into r24. It must keep SREG.
#define HOCKET_PIN_CHANGES(letter, count, number, read)                                           \
  HOCKET_REFILL_VECTOR                                                                            \
  extern "C" {                                                                                    \
  [[gnu::used]] hocket::uno::PinChanges<count> hocket_changes_##letter;                           \
  }                                                                                               \
  HOCKET_PIN_CHANGES_ENTRY_(hocket_attach_change_##letter, letter, number, hocket_attach_change); \
  HOCKET_PIN_CHANGES_ENTRY_(hocket_detach_change_##letter, letter, number, hocket_detach_change); \
  asm(".section .text.hocket_pin_change_" #letter                                                 \
      ",\"ax\",@progbits\n"                                                                       \
      ".global hocket_pin_change_" #letter "\nhocket_pin_change_" #letter                         \
      ":\n"                                                                                       \
      " push r30\n push r31\n push r24\n"                                                         \
      " " read                                                                                    \
      "\n"                                                                                        \
      " ldi r30, lo8(hocket_changes_" #letter                                                     \
      ")\n"                                                                                       \
      " ldi r31, hi8(hocket_changes_" #letter                                                     \
      ")\n"                                                                                       \
      " jmp hocket_pin_changed\n"                                                                 \
      " .text\n")
