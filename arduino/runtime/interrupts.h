// Interrupts of pins, from the lines to the handlers' loops: counted, on budgets.
//
//   edge ─▶ the pin's detector ─▶ top half ─▶ bottom half ───────▶ handler's loop ─▶ handler
//           (hardware, counts)    masks the    on the I/O virtual   on its own
//                                 line, wakes  CPU: takes what was  virtual CPU
//                                              counted, unmasks
//
// The pins of an I/O virtual CPU have one line, and it is masked from a top half until the bottom
// half finds no pin that asks. So however fast edges come, each top half stands for one turn of the
// bottom half, and those the I/O virtual CPU's budget limits; what the pins do meanwhile their
// detectors count. Each edge is in its pin's account until its handler is called, or it is lost for
// a reason (edge_account.h).
//
// A direct handler is called in the top half of a line of its own, no sooner than its distance
// after the call before: its pin is masked when an edge comes too soon (direct_pins.cpp).
//
// What a board has to supply is Board::Pins (docs/porting/interrupts.md).
#pragma once

#include "arduino/runtime/edge_account.h"
#include "arduino/runtime/pin_lines.h"
#include "arduino/runtime/sketch.h"

namespace hocket::runtime::interrupts {

/// What a pin's detector has counted since it was last asked: `count`, of which so many may stand
/// for several (`merged`: the hardware has one bit), and when the `first` of them came.
using Edges = BoardPins::Edges;

struct Pin;

/// A declared handler of the top half.
struct Direct {
  const LoopDescriptor* declared;
  Sketch* sketch;
  Ticks length, distance;
  Pin* pin;                      // its pin; null: none
  System::Instant next_call;     // none begins before
  System::Instant next_edge;     // one that comes before is too soon
  System::Instant at_once_from;  // one that comes then is called for at once (lone_edges.h)
  System::Instant next_opening;
  HandlerGate::Turn turn;
  bool behind;       // edges have waited for the end of a section: none of those is too soon
  uint64_t storage;  // for the board, if it calls in line
  // Of the call in the middle, if it was made at once.
  Pin* called;
  System::Instant first, began;
  System::Alarm alarm;  // core 0's
  System::Duration longest;
  System::Instant next_watch;  // attached before, it is masked until then
  System::Alarm opening;       // of another core, that has attached it
  bool waits_to_open;          // it is
  bool broken;  // it has faulted, or taken longer than declared: never attached again
};
inline constexpr unsigned kMostDirect = 8;
/// How a call of one ended.
using runtime::DirectEnd;

/// One pin, since something was attached to it first.
struct Pin {
  EdgeAccount account;
  sys::PinCall call;
  Loop* loop;           // its owner; null: none
  struct Handlers* of;  // that one's
  Direct* direct;       // or that
  // What it was last, for the report: one of these, or null.
  Loop* former;
  const Direct* former_direct;
  sys::EdgeMode mode;
  bool masked;            // a level that its handler has yet to see to; a direct one that waits
  bool queued;            // in its loop's row
  uint8_t number;         // its own
  uint32_t handed;        // of those that wait: known to the loop
  System::Instant first;  // of those: when the first one came
  Pin* next_queued;
  System::Duration worst_delay;  // of edges that found their handler's loop idle

  bool attached() const { return loop != nullptr || direct != nullptr; }
};

/// What a sketch asked for that cannot be; the call did nothing.
struct Complaint {
  enum class Kind : uint8_t {
    NoInterrupt,
    NoMode,
    NoHandler,
    NothingAttached,
    KeptSection,  // setup() did
    UnknownLoop,
    NoDirect,     // on this board
    TwoPins,      // one declared direct handler has one pin
    TooLong,      // a direct handler took more than declared, and is detached
    WaitsInside,  // a direct handler called something that may wait
    Broken,       // a direct handler that was detached for what it did is attached again
  };
  static constexpr unsigned kSetup = LoopDescriptor::kHighestId + 1;
  static constexpr unsigned kDirect = kSetup + 1;
  Kind kind;
  unsigned pin;
  int mode;
  unsigned loop;  // that asked, or kSetup, or kDirect
  uint32_t times;
};
inline constexpr unsigned kMostComplaints = 16;

// --- From the board's line, masked ---

/// Some pin has had an edge (or has the level) that its detector is set to. A line's handler
/// (ports/contract/lines.h); its argument is the line's number among those of I/O virtual CPUs.
void top_half(void* number);

// --- From loops (arduino/runtime/system.h) ---

bool attach(const sys::PinInterrupt& interrupt);
bool detach(unsigned pin);
void next_call(Loop& self, sys::PinCall& call);
void hold(bool held);
/// The sketch's setup() has returned: a section that it kept ends there.
void setup_ends(Sketch& sketch);
/// The loop is about to be stopped for good: nothing waits for it any more. Unmasked: all that
/// waited are told one after the other.
void loop_stops(Loop& loop);

// --- The bottom half ---

[[noreturn]] void run_bottom_half(Loop& self);

// --- Handlers in the top half ---

/// At boot, for each sketch. False: there are too many.
bool add_direct(Sketch& sketch, const LoopDescriptor& declared);
unsigned direct_count();
const Direct& direct(unsigned index);
/// What one takes of its core in every distance: with the interrupts that it may cause there.
inline Ticks direct_cost(Ticks length);
/// On core 0, at boot, when all are known.
void begin_direct();
/// The caller is one.
bool direct_handler_runs();
/// Whose sketch it is; null: the caller is none. And its pin, as long as it has one.
Sketch* direct_sketch();
unsigned direct_pin();
/// True: a direct handler runs here, so the caller must not wait; that is kept for the report.
bool refuses_to_wait();

// --- The table of loops ---

/// The least budget that makes sense for a bottom half, in nanoseconds.
uint64_t least_bottom_half();

// --- Calls that could not be done ---

/// Keeps it for the report; false, which is what the call then returns. One caller at a time.
bool complain(Complaint::Kind kind, unsigned pin, int mode);

// --- For the report ---

/// At the end of a run. Null: nothing was ever attached to it.
const Pin* pin(unsigned number);
uint64_t top_half_count();
/// The loop's longest section, with one that has not ended by then.
System::Duration longest_section(const Loop& loop, System::Instant end);
/// As many pins as had a handler at once.
unsigned most_attached();
unsigned complaint_count();
const Complaint& complaint(unsigned index);

inline Ticks direct_cost(Ticks length) {
  if constexpr (PinLines<BoardPins>::kHasDirect) {
    // The call's interrupt, that of an edge too soon, one at a section's end, and the alarm's.
    return length + 3 * BoardPins::kTopHalf + Board::Port::costs().timer_interrupt +
           BoardPins::kTopHalf;
  } else {
    return length;
  }
}

}  // namespace hocket::runtime::interrupts
