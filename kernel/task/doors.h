// The three functions through which a port calls the kernel (ports/contract/port.h), for the kernel
// type `K`. Use this macro once per image. An image that needs another one of them defines all.
#pragma once

#include "kernel/task/kernel.h"

#define HOCKET_DOORS(K)                           \
  extern "C" void hocket_timer_interrupt() {      \
    K::on_timer();                                \
  }                                               \
  extern "C" void hocket_reschedule_interrupt() { \
    K::on_reschedule();                           \
  }                                               \
  extern "C" void hocket_interrupt_exit() {       \
    K::after_interrupt();                         \
  }
