// Linked if a handler of the sketch's own, or of a library (ISR()), can wake loops: a loop that is
// woken while another one runs then pays for that, and admission counts it (kernel.cpp).
// tools/hocket/builder/linking.py links this file by its name.
#include "arduino/cores/avr8/woken_behind.h"

asm(".global hocket_own_handler_wakes\n.set hocket_own_handler_wakes, 1\n" HOCKET_HANDLERS_WAKE);
