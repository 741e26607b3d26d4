; The vectors of changing pins lead to pin_change_{b,c,d}.cpp where these are linked, and to whoever
; has the vector for himself (ISR(PCINT0_vect), as SoftwareSerial does) where somebody has. Linked
; before avr-libc's start-up code, whose own vectors are weak, too: the first of them counts. A
; vector that leads nowhere begins anew at 0, as avr-libc has it.

.macro vector number, letter
  .section .text.hocket_vector_\number,"ax",@progbits
  .weak __vector_\number
  .weak hocket_pin_change_\letter
__vector_\number:
  jmp hocket_pin_change_\letter
.endm

  vector 3, B
  vector 4, C
  vector 5, D
