// Pin interrupts on budgets, from the lines to the handlers' loops. Every edge is counted.
//
//   edge ─▶ the pin's detector ─▶ top half ─▶ bottom half ───────▶ handler's loop ─▶ handler
//           (hardware, counts)    masks the    on the I/O virtual   on its own
//                                 line, wakes  CPU: takes what was  virtual CPU
//                                              counted, unmasks
//
// All pins of an I/O virtual CPU share one line. The line is masked from a top half until the
// bottom half finds no pin that asks. So each top half stands for one turn of the bottom half,
// however fast edges come, and the budget of the I/O virtual CPU limits the turns. Meanwhile the
// pins' detectors count edges. Each edge is in its pin's account until its handler is called or the
// edge is lost for a stated reason (edge_account.h).
//
// A direct handler is called in the top half of a line of its own, no sooner than its distance
// after the call before. Its pin is masked when an edge comes too soon (direct_pins.cpp).
//
// A board supplies Board::Pins (docs/porting/interrupts.md).
#pragma once

#include "arduino/runtime/edge_account.h"
#include "arduino/runtime/pin_lines.h"
#include "arduino/runtime/sketch.h"

namespace hocket::runtime::interrupts {

/// What a pin's detector has counted since it was last read: `count` edges, of which `merged` may
/// stand for several each (the hardware has one bit), and the instant of the `first` of them.
using Edges = BoardPins::Edges;

struct Pin;

/// A declared direct handler.
struct Direct {
  const LoopDescriptor* declared;
  Sketch* sketch;
  Ticks length, distance;
  Pin* pin;                      // the pin that it is attached to; null: none
  System::Instant next_call;     // no call begins before this instant
  System::Instant next_edge;     // an edge before this instant is too soon
  System::Instant at_once_from;  // an edge from this instant on is called for immediately
                                 // (lone_edges.h)
  System::Instant next_opening;
  HandlerGate::Turn turn;
  bool behind;       // edges waited for the end of a section; none of those is too soon
  bool measured;     // the first of those found no other edge waiting, so its delay counts
  uint64_t storage;  // for boards that call in line: what storage_of_direct() returned
  // The call in progress, if lone_edges.h made it.
  Pin* called;
  System::Instant first;
  System::Instant began;  // its call, or the interrupt of it
  System::Alarm alarm;    // core 0's
  System::Duration longest;
  System::Instant next_watch;  // when attached again before this instant, the pin is masked until
                               // then
  System::Alarm opening;       // alarm of the core that attached it again, if that is not core 0
  bool waits_to_open;          // attached again, and masked until `next_watch`
  bool broken;                 // faulted, or took longer than declared: never attached again
};
inline constexpr unsigned kMostDirect = 8;
/// How a call of a direct handler ended.
using runtime::DirectEnd;

/// The state of one pin, from the first time that something was attached to it.
struct Pin {
  EdgeAccount account;
  sys::PinCall call;
  Loop* loop;           // the handler's loop; null: none
  struct Handlers* of;  // the state of that loop
  Direct* direct;       // or the direct handler; null: none
  // The last loop or direct handler, for the report; at most one is not null.
  Loop* former;
  const Direct* former_direct;
  sys::EdgeMode mode;
  bool masked;            // a level that its handler must still remove, or a direct pin that waits
  bool queued;            // in its loop's row of pins
  uint8_t number;         // its own number
  uint32_t handed;        // how many of the waiting edges are queued for the loop
  System::Instant first;  // the instant of the first of those edges
  Pin* next_queued;
  System::Duration worst_delay;  // of edges that found their handler's loop idle

  bool attached() const { return loop != nullptr || direct != nullptr; }
};

/// A call about interrupts that could not be carried out and did nothing.
struct Complaint {
  enum class Kind : uint8_t {
    NoInterrupt,
    NoMode,
    NoHandler,
    NothingAttached,
    KeptSection,  // setup() ended inside a section
    UnknownLoop,
    NoDirect,     // on this board
    TwoPins,      // a declared direct handler can have only one pin
    TooLong,      // a direct handler took more than declared, and is detached
    WaitsInside,  // a direct handler called something that may wait
    Broken,       // attaches a direct handler that was detached because it faulted or took too long
  };
  static constexpr unsigned kSetup = LoopDescriptor::kHighestId + 1;
  static constexpr unsigned kDirect = kSetup + 1;
  Kind kind;
  unsigned pin;
  int mode;
  unsigned loop;  // the loop that made the call, or kSetup, or kDirect
  uint32_t times;
};
inline constexpr unsigned kMostComplaints = 16;

// --- From the board's line: interrupt context, masked ---

/// Some pin has had an edge or level that its detector is set to. This is a line handler
/// (ports/contract/lines.h); its argument is the number of the line among those of I/O virtual
/// CPUs.
void top_half(void* number);

// --- From loops and setup() (arduino/runtime/system.h) ---

bool attach(const sys::PinInterrupt& interrupt);
bool detach(unsigned pin);
void next_call(Loop& self, sys::PinCall& call);
void hold(bool held);
/// The sketch's setup() has returned: ends a section that it left open.
void setup_ends(Sketch& sketch);
/// The loop is about to be stopped for good: nothing may wait for it any more. Call unmasked,
/// because all waiters are woken one after the other.
void loop_stops(Loop& loop);

// --- The bottom half ---

[[noreturn]] void run_bottom_half(Loop& self);

// --- Handlers in the top half ---

/// At boot, for each sketch. Returns false when there are too many direct handlers.
bool add_direct(Sketch& sketch, const LoopDescriptor& declared);
unsigned direct_count();
const Direct& direct(unsigned index);
/// The time (ticks) that admission reserves on the core per distance, including the interrupts that
/// the handler may cause.
inline Ticks direct_cost(Ticks length);
/// On core 0, at boot, after all add_direct() calls.
void begin_direct();
/// Whether the caller is a direct handler.
bool direct_handler_runs();
/// The sketch of the running direct handler; null: none runs. And its pin; BoardPins::kPins: the
/// handler has been detached. direct_pin() only while direct_handler_runs().
Sketch* direct_sketch();
unsigned direct_pin();
/// Returns true, and records a complaint, if the caller is a direct handler. Such a caller must not
/// wait.
bool refuses_to_wait();

// --- The table of loops ---

/// The least useful budget of a bottom half, in nanoseconds.
uint64_t least_bottom_half();

// --- Calls that could not be done ---

/// Records the complaint for the report. Always returns false, which the failed call then returns.
/// One caller at a time.
bool complain(Complaint::Kind kind, unsigned pin, int mode);

// --- For the report ---

/// At the end of a run. Null: nothing was ever attached to the pin.
const Pin* pin(unsigned number);
/// Edges that the pin's detector has kept and nobody has taken.
Edges untaken(const Pin& pin);
/// The longest delay of its edges that found their handler's loop idle. One that still waits at
/// `end`, as the run ends, has waited that long.
System::Duration longest_delay(const Pin& pin, System::Instant end);
uint64_t top_half_count();
struct LongestSection {
  System::Duration length;
  bool revoked;  // handlers that waited went on before a section of the loop ended
};
/// The loop's longest section. Includes a section that has not ended by `end`.
LongestSection longest_section(const Loop& loop, System::Instant end);
/// The largest number of pins that had a handler at the same time.
unsigned most_attached();
unsigned complaint_count();
const Complaint& complaint(unsigned index);

inline Ticks direct_cost(Ticks length) {
  if constexpr (PinLines<BoardPins>::kHasDirect) {
    // Top halves: the call, an edge too soon, the end of a section, the alarm. And the alarm's
    // timer.
    return length + 3 * BoardPins::kTopHalf + Board::Port::costs().timer_interrupt +
           BoardPins::kTopHalf;
  } else {
    return length;
  }
}

}  // namespace hocket::runtime::interrupts
