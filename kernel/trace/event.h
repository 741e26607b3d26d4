// The kernel's event log, which every tool that shows time reads (docs/reference/event-log.md).
//
// The kernel passes each event to the board's sink, a type with a static `record`. For a board
// without a log `record` is empty, and the calls disappear.
#pragma once

#include "kernel/base/types.h"

namespace hocket {

enum class EventKind : uint8_t {
  Dispatch = 1,         // a thread starts running; kNoThread: the core is idle
  Wake = 2,             // a blocked thread becomes ready
  Block = 3,            // a thread blocks
  Sleep = 4,            // a thread sleeps until `value`
  BudgetExhausted = 5,  // the budget of the thread's virtual CPU is used up
  Replenish = 6,        // the virtual CPU gets more budget at `value`
  TimerInterrupt = 7,
  RescheduleInterrupt = 8,  // from another core
  Fault = 9,                // a thread is stopped permanently; arg: kind of fault
  Release = 10,             // a virtual CPU has budget and something to run since `value`
  Iteration = 11,           // one iteration of a loop is done; arg: how many so far
  ThreadNamed = 12,         // arg: loop id; value: what kind of thread
  // Boards that are watched from outside also report each handler (simulation/avr):
  InterruptBegins = 13,  // arg: its number
  InterruptEnds = 14,
  InterruptNamed = 15,  // value: its name, up to 8 characters, the first in the lowest byte
  // Interrupts of pins (arduino/runtime/interrupts.h); thread: the owner of the handler
  PinInterrupt = 16,   // arg: the pin; its top half runs
  EdgesTaken = 17,     // arg: the pin; its bottom half has got `value` edges
  EdgeDelivered = 18,  // arg: the pin; its handler is called
  PinWatched = 19,     // arg: the pin; value: 1 + its mode from now on, 0: detached
};

struct Event {
  static constexpr uint16_t kNoThread = 0xffff;

  uint64_t time;  // ticks
  CoreId core;
  EventKind kind;
  uint16_t thread;
  uint32_t arg;
  uint64_t value;
};

/// A sink that keeps no log. kAsksFirst: an event is created only while Trace::wanted.
struct NoTrace {
  static constexpr bool kAsksFirst = false;
  static void record(const Event&) {}
};

}  // namespace hocket
