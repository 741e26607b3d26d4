; For a sketch without loops that has no loop().

  .section .text.no_loop,"ax",@progbits
  .global loop
  .type loop, @function
loop:
  ret
  .size loop, . - loop
