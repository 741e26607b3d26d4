; void initVariant() of a sketch without loops that has none.

  .section .text.initVariant,"ax",@progbits
  .global initVariant
  .type initVariant, @function
initVariant:
  ret
  .size initVariant, . - initVariant
