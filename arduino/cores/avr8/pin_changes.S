; Pin-change interrupts: what the three ports share (pin_change.h).
;
;   changed = now ^ last        a pin that changed twice before the levels are read is not seen
;   due     = changed & (rising pins that are high | falling pins that are low)
;
; Z is the port's state, r25 the port's number (0 to 2).
;
; A pin has the same bit in the port's registers and in its mask, but for port J of an ATmega2560:
; there the mask's bit is one higher, and bit 0 of the mask is another port's. The functions here
; get the mask's bit, and the state has the levels one bit higher, too.

#include "ports/avr8/clock_timer.h"

#include "arduino/cores/avr8/assembler_numbers.h"

#define BIT r19  // the pin's, in the port's registers

; Detaches pin r24 of the port. Keeps r18 and r20 to r25, and leaves the pin's bit in r19.
  .section .text.hocket_detach_change,"ax",@progbits
  .global hocket_detach_change
hocket_detach_change:
  ldi BIT, 1
  mov r27, r24
  rjmp 2f
1:
  lsl BIT
2:
  dec r27
  brpl 1b
  ldi r26, PCMSK0
  add r26, r25
  ldi r27, 0
  com BIT
  in r0, 0x3f
  cli
  ld r1, X
  and r1, BIT
  st X, r1
  ldd r1, Z+HOCKET_CHANGES_RISING
  and r1, BIT
  std Z+HOCKET_CHANGES_RISING, r1
  ldd r1, Z+HOCKET_CHANGES_FALLING
  and r1, BIT
  std Z+HOCKET_CHANGES_FALLING, r1
  clr r1
  out 0x3f, r0
  com BIT
  ret

; Attaches to pin r24 of the port the handler r23:r22 with the argument r21:r20 in the mode r19:r18. A level
; mode (LOW, HIGH) attaches nothing, because a level does not interrupt.
  .section .text.hocket_attach_change,"ax",@progbits
  .global hocket_attach_change
hocket_attach_change:
  cpse r19, r1
  ldi r18, 0
  rcall hocket_detach_change
  mov r26, r22
  or r26, r23
  breq 5f
  in r0, 0x3f
  cli
  lsl r24
  lsl r24
  movw r26, r30
  add r26, r24
  adc r27, r1
  adiw r26, HOCKET_CHANGES_HANDLERS
  st X+, r22
  st X+, r23
  st X+, r20
  st X, r21
  cpi r18, HOCKET_MODE_FALLING
  breq 1f
  cpi r18, HOCKET_MODE_RISING
  breq 2f
  cpi r18, HOCKET_MODE_CHANGE
  brne 4f
1:
  ldd r24, Z+HOCKET_CHANGES_FALLING
  or r24, BIT
  std Z+HOCKET_CHANGES_FALLING, r24
  cpi r18, HOCKET_MODE_FALLING
  breq 3f
2:
  ldd r24, Z+HOCKET_CHANGES_RISING
  or r24, BIT
  std Z+HOCKET_CHANGES_RISING, r24
3:
  ldi r26, PCMSK0
  add r26, r25
  ldi r27, 0
  ld r24, X
  or r24, BIT
  st X, r24
  ; Discards changes from before: last = last & ~bit | input & bit.
  mov r26, r25
  lsl r26
  add r26, r25
#ifdef __AVR_ATmega2560__  // port B; J and K lie at 0x103 and 0x106
  ldi r27, 1
  cpse r25, r1
  rjmp 1f
  ldi r26, _SFR_MEM_ADDR(PINB)
  ldi r27, 0
1:
  ld r24, X
  sbrc r25, 0
  lsl r24
#else
  subi r26, 0x100 - _SFR_MEM_ADDR(PINB) // the ports' registers are three addresses apart
  ld r24, X
#endif
  ldd r26, Z+HOCKET_CHANGES_LAST
  eor r24, r26
  and r24, BIT
  eor r24, r26
  std Z+HOCKET_CHANGES_LAST, r24
#if defined(__AVR_ATmega2560__) && defined(HOCKET_WITHOUT_LOOPS)
  ldi r24, 1
#else
  ldi r24, 1 << HOCKET_FIRST_PORT
#endif
  rjmp 2f
1:
  lsl r24
2:
  dec r25
  brpl 1b
#ifdef HOCKET_WITHOUT_LOOPS
#ifndef __AVR_ATmega2560__
  lsr r24
  lsr r24
#endif
  lds r25, PCICR
  or r24, r25
  sts PCICR, r24
#else
  push r0
#ifdef __AVR_ATmega2560__
  ldi r25, 0
  cpse r24, r1  ; the third port's bit is the ninth
  rjmp 1f
  ldi r25, 1
1:
#endif
  call hocket_let_in_changes
  pop r0
#endif
4:
  out 0x3f, r0
5:
  ret

; The end of a port's interrupt, which has saved r30, r31 and r24: r24 has the pins' levels. Calls the
; handlers of the pins that have changed.
  .section .text.hocket_pin_changed,"ax",@progbits
  .global hocket_pin_changed
  .weak hocket_handler_ended
hocket_pin_changed:
  push r0
  in r0, 0x3f
  push r0
#ifdef RAMPZ
  in r0, _SFR_IO_ADDR(RAMPZ)
  push r0
#endif
  push r1
  clr r1
  .irp register, 17,18,19,20,21,22,23,25,26,27,28,29
  push r\register
  .endr
#ifndef HOCKET_WITHOUT_LOOPS  // there timer 1 belongs to the sketch
  push r14
  push r15
  push r16
  lds r14, CLOCK_COUNT_LOW
  lds r15, CLOCK_COUNT_HIGH
  in r16, _SFR_IO_ADDR(CLOCK_FLAGS)
#endif
  ldd r25, Z+HOCKET_CHANGES_LAST
  std Z+HOCKET_CHANGES_LAST, r24
  ldd r17, Z+HOCKET_CHANGES_RISING
  and r17, r24
  eor r25, r24
  com r24
  ldd r18, Z+HOCKET_CHANGES_FALLING
  and r18, r24
  or r17, r18
  and r17, r25
  breq 3f
  movw r28, r30
1:
  lsr r17
  brcc 2f
  ldd r30, Y+HOCKET_CHANGES_HANDLERS
  ldd r31, Y+HOCKET_CHANGES_HANDLERS+1
  ldd r24, Y+HOCKET_CHANGES_HANDLERS+2
  ldd r25, Y+HOCKET_CHANGES_HANDLERS+3
  icall
2:
  adiw r28, 4
  tst r17
  brne 1b
3:
#ifndef HOCKET_WITHOUT_LOOPS
  ldi r24, pm_lo8(hocket_handler_ended)
  ldi r25, pm_hi8(hocket_handler_ended)
  or r24, r25
  breq 4f
  movw r24, r14
  mov r22, r16
  call hocket_handler_ended
4:
  pop r16
  pop r15
  pop r14
#endif
  .irp register, 29,28,27,26,25,23,22,21,20,19,18,17
  pop r\register
  .endr
  pop r1
#ifdef RAMPZ
  pop r0
  out _SFR_IO_ADDR(RAMPZ), r0
#endif
  pop r0
  out 0x3f, r0
  pop r0
  pop r24
  pop r31
  pop r30
  reti
