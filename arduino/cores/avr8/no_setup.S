; For a sketch without loops that has no setup().

  .section .text.no_setup,"ax",@progbits
  .global setup
  .type setup, @function
setup:
  ret
  .size setup, . - setup
