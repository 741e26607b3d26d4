// Attaches and detaches handlers of pin-change interrupts whose number is not known at compile
// time. any_change.cpp defines the functions; without it they do nothing.
#pragma once

#include "arduino/api/Interrupts.h"

extern "C" {
/// A number that is not a pin-change interrupt changes nothing.
void hocket_attach_any_change(int interrupt, voidFuncPtrParam handler, void* argument, int mode);
void hocket_detach_any_change(int interrupt);
}
