// The three functions through which a port calls the kernel (ports/contract/port.h), for the kernel
// type `K`. Use one of these macros once per image.
#pragma once

#include "kernel/task/kernel.h"

#define HOCKET_DOORS(K)                      \
  extern "C" void hocket_timer_interrupt() { \
    K::on_timer();                           \
  }                                          \
  HOCKET_DOORS_BESIDE_TIMER(K)

/// For a port with a periodic time base, whose timer interrupt is a tick (time/periodic_tick.h).
#define HOCKET_DOORS_BESIDE_TIMER(K)              \
  extern "C" void hocket_reschedule_interrupt() { \
    K::on_reschedule();                           \
  }                                               \
  extern "C" void hocket_interrupt_exit() {       \
    K::after_interrupt();                         \
  }
