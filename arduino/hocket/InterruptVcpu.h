// Handlers on virtual CPUs of their own (Table II of the Qduino paper): named here, refused while
// compiling until pin interrupts come.
#pragma once

#include "api/Interrupts.h"
#include "arduino/runtime/loops.h"

void attachInterruptVcpu(int pin, voidFuncPtr isr, int mode, hocket::Span budget,
                         hocket::Span period) HOCKET_NO_INTERRUPT_("attachInterruptVcpu()");
#ifdef HOCKET_PIN_INTERRUPTS
#include "uno_interrupts_vcpu.h"
#else
void interruptsVcpu(hocket::Span budget, hocket::Span period)
    HOCKET_NO_INTERRUPT_("interruptsVcpu()");
#endif
