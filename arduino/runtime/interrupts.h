// Interrupts of pins, from the line to the handler's loop: counted, on budgets.
//
//   edge ─▶ the pin's detector ─▶ top half ─▶ bottom half ───────▶ handler's loop ─▶ handler
//           (hardware, counts)    masks the    on the I/O virtual   on its own
//                                 line, wakes  CPU: takes what was  virtual CPU
//                                              counted, unmasks
//
// The pins have one line, and it is masked from a top half until the bottom half finds no pin that
// asks. So however fast edges come, each top half stands for one turn of the bottom half, and those
// the I/O virtual CPU's budget limits; what the pins do meanwhile their detectors count. Each edge
// is in its pin's account until its handler is called, or it is lost for a reason (edge_account.h).
//
// What a board has to supply is Board::Pins (docs/porting/interrupts.md).
#pragma once

#include "arduino/runtime/edge_account.h"
#include "arduino/runtime/sketch.h"

namespace hocket::runtime::interrupts {

/// What a pin's detector has counted since it was last asked: `count`, of which so many may stand
/// for several (`merged`: the hardware has one bit), and when the `first` of them came.
using Edges = BoardPins::Edges;

/// One pin, since something was attached to it first.
struct Pin {
  EdgeAccount account;
  sys::PinCall call;
  Loop* loop;    // whose it is, null: nobody's
  Loop* former;  // whose it was last, for the report
  sys::EdgeMode mode;
  bool masked;            // a level that its handler has yet to see to
  bool queued;            // in its loop's row
  uint32_t handed;        // of those that wait: known to the loop
  System::Instant first;  // of those: when the first one came
  Pin* next_queued;
  System::Duration worst_delay;  // of edges that found their handler's loop idle
};

/// What a sketch asked for that cannot be; the call did nothing.
struct Complaint {
  enum class Kind : uint8_t { NoInterrupt, NoMode, NoHandler, NothingAttached, UnknownLoop };
  static constexpr unsigned kSetup = LoopDescriptor::kHighestId + 1;
  Kind kind;
  unsigned pin;
  int mode;
  unsigned loop;  // that asked, or kSetup
  uint32_t times;
};
inline constexpr unsigned kMostComplaints = 16;

// --- From the board's line, masked ---

/// Some pin has had an edge (or has the level) that its detector is set to. A line's handler
/// (port/lines.h).
void top_half(void*);

// --- From loops (arduino/runtime/system.h) ---

bool attach(const sys::PinInterrupt& interrupt);
bool detach(unsigned pin);
void next_call(Loop& self, sys::PinCall& call);
void hold(bool held);
/// The loop is about to be stopped for good: nothing waits for it any more.
void loop_stops(Loop& loop);

// --- The bottom half ---

[[noreturn]] void run_bottom_half(Loop& self);

// --- The table of loops ---

/// The least budget that makes sense for a bottom half, in nanoseconds.
uint64_t least_bottom_half();

// --- For the report ---

/// Null: nothing was ever attached to it.
const Pin* pin(unsigned number);
uint64_t top_half_count();
/// As many pins as had a handler at once.
unsigned most_attached();
unsigned complaint_count();
const Complaint& complaint(unsigned index);

}  // namespace hocket::runtime::interrupts
