; The pin-change vectors lead to pin_change_{b,c,d}.cpp if these are linked, and to a library's own
; handler if it defines one (ISR(PCINT0_vect), as SoftwareSerial does). Linked before avr-libc's
; start-up code, whose vectors are weak as well: the first definition counts. A vector without a
; handler restarts at 0, as in avr-libc.

.macro vector number, letter
  .section .text.hocket_vector_\number,"ax",@progbits
  .weak __vector_\number
  .weak hocket_pin_change_\letter
__vector_\number:
  jmp hocket_pin_change_\letter
.endm

#ifdef __AVR_ATmega2560__
  vector 9, B
  vector 10, J
  vector 11, K
#else
  vector 3, B
  vector 4, C
  vector 5, D
#endif
