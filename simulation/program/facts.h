// The facts of a run, as plain values and as the JSON object of the report
// (docs/reference/report.md, sim-program.md). What is unknown is absent here and null in the
// report.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "simulation/program/bounds.h"
#include "simulation/program/text_notes.h"
#include "simulation/program/verdict.h"

namespace hocket::program {

/// Shares are in millionths.
struct CoreFacts {
  uint32_t utilization_ppm;
  uint32_t liu_layland_ppm;
};

/// What occupied the core during a late call, from its release to its end. The parts add up to the
/// response time.
struct LateCall {
  struct Other {
    unsigned loop;
    Nanos time;
  };
  Nanos response;
  bool ended;                 // false: the run ended first
  Nanos own;                  // the loop itself ran
  Nanos blocked;              // it was blocked: delay(), a lock
  Nanos no_budget;            // it was ready without usable budget
  Nanos rest;                 // it was ready with budget: interrupts, the kernel
  std::vector<Other> others;  // these loops ran meanwhile
};

/// What a run shows of a loop.
struct LoopRun {
  uint64_t iterations;
  Nanos cpu_time;                            // its own work
  std::optional<Nanos> kernel_time;          // the kernel's work for it
  std::optional<Nanos> least_cpu, most_cpu;  // in any whole period
  std::optional<uint64_t> exhausted;
  std::optional<uint64_t> releases;
  std::optional<uint64_t> deadline_misses;
  std::optional<uint64_t> overruns = {}, skipped = {};  // of a periodic loop
  std::optional<Nanos> worst_response;
  std::optional<uint64_t> switches, preemptions, sleeps, wakes;  // of its thread
  uint64_t stack_size;
  uint64_t stack_used;
  std::optional<Nanos> budget_wait = {}, longest_budget_wait = {};  // total, and longest
  std::optional<LateCall> late_call = {};
};

/// A loop's counts so far, in a run that continues. What is not counted is absent.
struct LoopCounts {
  unsigned id;
  uint64_t iterations;
  std::optional<uint64_t> exhausted, deadline_misses;
  std::optional<Nanos> worst_response;
  bool operator==(const LoopCounts&) const = default;
};

/// One part of a split loop.
struct PartFacts {
  unsigned core;
  Nanos budget, offset, deadline;
};

struct LoopFacts {
  unsigned id;
  bool periodic;
  const char* other_kind = nullptr;  // other than loop or periodic: "isr", "io"
  Nanos budget, period, deadline;
  std::optional<unsigned> core;
  std::optional<Nanos> response_bound;
  std::optional<LoopRun> run;
  std::vector<PartFacts> parts = {};  // empty: it is not split
  bool scheduled = true;  // false: nothing keeps these times, as in a sketch without a kernel
};

/// What a run shows of a pin's interrupt. Each edge is delivered, pending or lost.
struct InterruptRun {
  uint64_t edges = 0;
  uint64_t delivered = 0;
  uint64_t pending = 0;
  uint64_t no_room = 0, detached = 0, stopped = 0, too_soon = 0;  // lost
  uint64_t may_have_merged = 0;  // where the hardware has only one bit
  Nanos longest_delay = 0;
};

struct InterruptFacts {
  std::optional<unsigned> pin;  // absent: not a constant, and nothing was attached
  const char* mode = nullptr;
  std::optional<unsigned> loop;  // the loop that calls the handler; absent: a direct handler
  std::string place;             // where the handler is declared
  Nanos budget, period;
  std::optional<Nanos> bound, paper_bound;
  std::optional<Nanos> longest = {};                    // longest run of a direct handler
  std::vector<NamedTerm> terms = {}, paper_terms = {};  // of the bounds, if they are sums
  std::optional<InterruptRun> run;
};

/// Sections between noInterrupts() and interrupts().
struct SectionFacts {
  uint64_t count;
  Nanos longest, longest_wait;
  uint64_t given_up;                   // handlers that noInterrupts() stopped waiting for
  std::optional<uint64_t> remembered;  // edges that came during sections, if known
  Nanos declared = 0;                  // 0: no longest length is declared
  std::optional<Nanos> bound = {};     // how long sections may hold handlers back
  uint64_t revoked = 0;                // how often handlers went on before all sections had ended
};

/// How a core's time was used; the rest is the kernel's own.
struct SharedCore {
  Nanos beside;     // the other system's
  Nanos loops;      // their own work
  Nanos for_loops;  // the kernel's work for them
  Nanos rest;
};

/// Another system beside the kernel.
struct BesideFacts {
  const char* state;
  unsigned restarts, cores_on;
  std::vector<SharedCore> cores;
};

struct CounterFacts {
  uint64_t thread_switches = 0;
  std::optional<uint64_t> preemptions = 0;
  uint64_t timer_interrupts = 0;
  std::optional<uint64_t> sleeps = 0;
  std::optional<uint64_t> wakes = 0;
  uint64_t ipis = 0;
  std::optional<uint64_t> pin_interrupts = {};  // top halves
};

/// Parameters of a simulated machine.
struct ModelFacts {
  Nanos block, device_access, ipi_latency, interrupt_entry;
  std::optional<uint64_t> blocks;
};

/// The core time for the characters of a serial port whose interrupts move each of them.
struct SerialFacts {
  unsigned port;
  uint32_t rate;          // bits per second
  bool constant;          // otherwise it is the highest rate that is assumed
  Nanos each;             // for each character sent, charged to the writing loop
  unsigned sent_before;   // paid for and not sent yet
  double received_share;  // of the core, before all loops; 0: nothing reads
};

/// The costs that admission assumed, and what follows from them for a loop
/// (docs/decisions/who-pays.md).
struct OverheadFacts {
  Nanos interrupt_entry, context_switch, timer_interrupt, timer_lateness, longest_masked;
  std::optional<Nanos> longest_masked_seen;
  /// The largest of the costs above that the run has shown, if it observes the kernel from outside.
  struct Seen {
    Nanos interrupt_entry, context_switch, timer_interrupt, longest_section;
  };
  std::optional<Seen> kernel_seen = {};
  /// The longest handler of attachInterrupt() that the bounds allow for, and that the run has
  /// shown.
  std::optional<Nanos> handler = {}, handler_seen = {};
  std::string handler_of = {};  // its interrupt
  /// The same of an interrupt that gives the handlers' common budget back.
  std::optional<Nanos> refill = {}, refill_seen = {};
  std::optional<Nanos> longest_spin_seen;
  Nanos spin_blocking;
  Nanos activation;       // an activation and an end; one of each per period is free
  Nanos smallest_budget;  // the least that a loop may ask for
  unsigned pieces;        // of a period, in which consumption is recorded
  unsigned refills;       // length of a list of refills
};

/// What masked interrupts for the longest time.
struct MaskedFacts {
  int loop;                          // the loop that ran; -1: none
  std::vector<std::uint64_t> codes;  // its addresses meanwhile, from the beginning
  std::string interrupt;             // the interrupt whose handler it was; empty: none
  Nanos length;
};

/// What had kept the kernel from acting before it took its longest for something.
struct HeldFacts {
  Nanos together, longest;
  std::string interrupt;  // whose handler the longest was; empty: a loop had masked interrupts
};

struct HeldBefore {
  HeldFacts context_switch, longest_masked;
};

/// Allocations that found no memory and returned a null pointer. Of the first one:
struct NoRoomFacts {
  std::string asker;  // "loop 1", "setup()"
  std::uint64_t bytes;
  std::vector<std::uint64_t> codes;  // call stack, innermost first
  std::uint64_t times = 0;           // total number
};

/// The part of a sketch that made a call: a loop's number, or one of these.
inline constexpr int kSetupAsks = -1, kHandlerAsks = -2;

inline std::string name_of_asker(int asker) {
  if (asker == kSetupAsks) return "setup()";
  if (asker == kHandlerAsks) return "a handler";
  return asker == 0 ? "loop()" : "loop " + std::to_string(asker);
}

/// A pin of a board, and whether it can make PWM in this run.
struct PinFacts {
  unsigned pin;
  bool pwm;
};

/// The longest call of a function that was seen (simulation/avr/call_times.h). waits: the most in
/// one call.
struct CallTime {
  uint32_t address = 0;
  uint64_t calls = 0;
  uint64_t longest_cycles = 0;
  uint64_t most_waits = 0;
};

struct RunFacts {
  std::string board;
  unsigned cores;
  uint64_t seed;
  Nanos duration;
  std::string clock;
  std::string tick;  // the meaning of a nanosecond of the clock; empty: omitted
  std::string end;
  bool accepted;
  bool anyway = false;  // the loops were refused, and have run: nothing is guaranteed
  std::vector<CoreFacts> admission;
  std::vector<std::string> reasons;
  std::vector<LoopFacts> loops;
  std::vector<InterruptFacts> interrupts = {};
  struct {
    Nanos budget = 0, period = 0;
  } handlers = {};  // common limit of plain attachInterrupt(), if it is enforced in the interrupt
  std::vector<SerialFacts> serial_interrupts = {};  // by port
  std::optional<SectionFacts> sections = {};
  std::optional<BesideFacts> beside = {};
  std::optional<CounterFacts> counters;
  std::vector<Fault> faults;
  std::optional<ModelFacts> model;
  OverheadFacts overheads;
  std::optional<MaskedFacts> masked;  // if a board can tell
  /// The same of code outside of the kernel that the guarantees do not count.
  std::optional<MaskedFacts> masked_outside = {};
  std::optional<HeldBefore> held = {};
  std::optional<NoRoomFacts> no_room = {};
  /// For a board without a kernel: how long its clock's interrupt may be held back.
  std::optional<Nanos> clock_interrupt = {};
  std::string parts = "{}";                     // JSON
  std::string serial = "[]";                    // JSON
  std::optional<sim::WiringFacts> wiring = {};  // of a run
  std::vector<TextTimes> texts = {};            // for --note-text; empty: omitted
  std::vector<CallTime> call_times = {};        // for --time-call; empty: omitted
  std::vector<std::string> notices;
  std::string policy = "vcpu";
  std::vector<PinFacts> pins = {};        // empty: the pins of the devices
  std::optional<BoundFacts> bounds = {};  // for a policy that promises something
};

/// As one JSON object. Bytes that are not UTF-8 become U+FFFD.
std::string to_json(const RunFacts& facts);

}  // namespace hocket::program
