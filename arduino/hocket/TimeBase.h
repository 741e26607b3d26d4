// How the kernel of the sketch gets its instants; written once, anywhere in the sketch:
//
//   HOCKET_TICK(1ms)     the timer interrupts every millisecond, and what is due is seen then
//
// Without the line the timer is set for each instant (one-shot): nothing is late by a tick, and no
// interrupt comes for nothing. docs/reference/time-services.md has both bases.
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
