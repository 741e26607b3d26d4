; The float functions under the names by which clang calls them.
;
; `double` is a float on AVR, and avr-libc has one function for both: round(). Its <math.h> maps roundf() to that
; with a macro. clang turns functions without side effects into operations of its own, and calls C's function for
; a float: roundf. A function that is not called is not linked.

.irp name, acos, asin, atan, atan2, cbrt, ceil, cos, cosh, exp, fdim, floor, fma, fmax, fmin, fmod, frexp, hypot, ldexp, log, log10, lrint, lround, pow, round, sin, sinh, tan, tanh, trunc
.section .text.float_names.\name, "ax", @progbits
.global \name\()f
.type \name\()f, @function
\name\()f:
  jmp \name
.size \name\()f, . - \name\()f
.endr
