; In sketches that use no pin-change interrupt by a number that is known at run time only: any_change.cpp, where it
; is linked, replaces these.

  .section .text.hocket_no_change,"ax",@progbits
  .global hocket_attach_any_change, hocket_detach_any_change
hocket_attach_any_change:
hocket_detach_any_change:
  ret
