; Timer 1's overflow interrupt: counts the overflows of the clock (clock.h), 30 cycles each time.
;
; The linker joins its parts (clock.ld), as it does with avr-libc's start-up code. A clock that
; counts more than overflows therefore adds instructions and no test:
;
;   hocket_clock.1   saves r24 and SREG, counts the overflow
;   hocket_clock.2   additions by others; may use r24 (arduino/cores/avr8/millis.S)
;   hocket_clock.3   the end

#include "ports/avr8/clock_timer.h"

#include "ports/avr8/switch_numbers.h"

  .section .bss.hocket_clock_turns,"aw",@nobits
  .global hocket_clock_turns
hocket_clock_turns:
  .skip 4

  .weak hocket_far_alarm  ; a sketch without alarms has none

  .section hocket_clock.1,"ax",@progbits
  .global CLOCK_OVERFLOW_VECTOR
CLOCK_OVERFLOW_VECTOR:
  push r24
  in r24, _SFR_IO_ADDR(SREG)
  push r24
  ; Adds one, and stops if there is no carry. Subtracting 255 leaves a borrow unless the byte was
  ; 255.
  .irp byte, 0,1,2,3
  lds r24, hocket_clock_turns+\byte
  subi r24, 0xff
  sts hocket_clock_turns+\byte, r24
  brcs 1f
  .endr
1:

  .section hocket_clock.3,"ax",@progbits
  pop r24
  out _SFR_IO_ADDR(SREG), r24
  pop r24
  sbic _SFR_IO_ADDR(GPIOR0), HOCKET_FAR_ALARM
  jmp hocket_far_alarm  ; an interrupt function: it saves what it uses and ends with reti
  reti
