// How the sketch's kernel sets its timer; written once, anywhere in the sketch:
//
//   HOCKET_TICK(1ms)     the timer interrupts every millisecond, and handles what is due then
//
// By default the timer is one-shot: it is set for each instant, so that nothing is late by a tick
// and no interrupt comes without need. docs/reference/time-services.md describes both.
#pragma once

#include "arduino/runtime/loops.h"

#if __has_include("board_tick.h")
#include "board_tick.h"
#else
#define HOCKET_TICK(period)                                                                      \
  static_assert(::hocket::LoopDescriptor::kHighestId == 0,                                       \
                "HOCKET_TICK(): this board's kernel has the one-shot time base only; leave the " \
                "line out, or use --board uno");
#endif
