; main() of a sketch without loops. A sketch that lacks setup(), loop() or initVariant() gets an empty one
; (no_setup.S, no_loop.S, plain_variant.S). A sketch may have a main() of its own, which calls init().

  .weak _Z14serialEventRunv

  .section .text.main,"ax",@progbits
  .global main
  .type main, @function
main:
  call init
  call initVariant
  .global hocket_variant_ended
hocket_variant_ended:
  call setup
1:
  call loop
  .global hocket_plain_iteration
hocket_plain_iteration:
  ldi r24, pm_lo8(_Z14serialEventRunv)
  ldi r25, pm_hi8(_Z14serialEventRunv)
  or r24, r25
  breq 1b
  call _Z14serialEventRunv
  rjmp 1b
  .size main, . - main
