; Functions of a float by the names that clang calls them.
;
; `double` is a float on AVR, and avr-libc has one function for both: round(), to which its <math.h> leads
; roundf() by a macro. clang makes an operation of its own of what it knows to be without side effects, and calls
; what C has for a float: roundf. What nobody calls is not linked.

.irp name, acos, asin, atan, atan2, cbrt, ceil, cos, cosh, exp, fdim, floor, fma, fmax, fmin, fmod, frexp, hypot, ldexp, log, log10, lrint, lround, pow, round, sin, sinh, tan, tanh, trunc
.section .text.float_names.\name, "ax", @progbits
.global \name\()f
.type \name\()f, @function
\name\()f:
  jmp \name
.size \name\()f, . - \name\()f
.endr
