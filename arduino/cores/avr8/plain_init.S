; void init() of a sketch without loops: timers 0 to 2 and the converter run as the stock core's init()
; leaves them, since libraries rely on that: they set a compare unit's mode bits and its value, and
; nothing else, for PWM on a pin.
;
; The linker puts it together from its parts (ports/avr8/clock.ld): what has a clock's interrupt turns it on.

#include <avr/io.h>

  .section hocket_init.1,"ax",@progbits
  .global init
  .type init, @function
init:
  ldi r24, (1 << CS01) | (1 << CS00)  ; a count takes 64 cycles
  out _SFR_IO_ADDR(TCCR0B), r24
  sts TCCR1B, r24                     ; the same bits
#ifdef TCCR3B
  sts TCCR3B, r24
  sts TCCR4B, r24
  sts TCCR5B, r24
#endif
  out _SFR_IO_ADDR(TCCR0A), r24       ; WGM01, WGM00: fast PWM, which are the same bits, too
  ldi r24, 1 << WGM10                 ; phase-correct PWM of 8 bits
  sts TCCR1A, r24
  sts TCCR2A, r24
#ifdef TCCR3A
  sts TCCR3A, r24
  sts TCCR4A, r24
  sts TCCR5A, r24
#endif

  .section hocket_init.3,"ax",@progbits
  ldi r24, 1 << CS22
  sts TCCR2B, r24
  ldi r24, (1 << ADEN) | (1 << ADPS2) | (1 << ADPS1) | (1 << ADPS0)
  sts ADCSRA, r24
  sei
  ret
