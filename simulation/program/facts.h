// The facts of a run, as plain values, and as the JSON object of the report
// (docs/reference/report.md, sim-program.md). What is not known is absent here and null there.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "simulation/program/bounds.h"
#include "simulation/program/text_notes.h"
#include "simulation/program/verdict.h"

namespace hocket::program {

/// Shares in millionths.
struct CoreFacts {
  uint32_t utilization_ppm;
  uint32_t liu_layland_ppm;
};

/// Of a late call, from its release to its end, what had the core. The parts add up to the
/// response.
struct LateCall {
  struct Other {
    unsigned loop;
    Nanos time;
  };
  Nanos response;
  bool ended;                 // or the run ended first
  Nanos own;                  // the loop ran
  Nanos blocked;              // it waited for something: delay(), a lock
  Nanos no_budget;            // it wanted to run and had no usable budget
  Nanos rest;                 // it could have run: interrupts, the kernel
  std::vector<Other> others;  // …and these loops ran
};

/// What a run tells of a loop.
struct LoopRun {
  uint64_t iterations;
  Nanos cpu_time;                            // its own work
  std::optional<Nanos> kernel_time;          // what the kernel did for it
  std::optional<Nanos> least_cpu, most_cpu;  // in any whole period
  std::optional<uint64_t> exhausted;
  std::optional<uint64_t> releases;
  std::optional<uint64_t> deadline_misses;
  std::optional<uint64_t> overruns = {}, skipped = {};  // of a periodic one
  std::optional<Nanos> worst_response;
  std::optional<uint64_t> switches, preemptions, sleeps, wakes;  // of its thread
  uint64_t stack_size;
  uint64_t stack_used;
  std::optional<Nanos> budget_wait = {}, longest_budget_wait = {};  // in all, and the longest
  std::optional<LateCall> late_call = {};
};

/// What has come of a loop so far, of a run that goes on. What nobody counts is absent.
struct LoopCounts {
  unsigned id;
  uint64_t iterations;
  std::optional<uint64_t> exhausted, deadline_misses;
  std::optional<Nanos> worst_response;
  bool operator==(const LoopCounts&) const = default;
};

/// Of a loop in two parts.
struct PartFacts {
  unsigned core;
  Nanos budget, offset, deadline;
};

struct LoopFacts {
  unsigned id;
  bool periodic;
  const char* other_kind = nullptr;  // than loop or periodic: "isr", "io"
  Nanos budget, period, deadline;
  std::optional<unsigned> core;
  std::optional<Nanos> response_bound;
  std::optional<LoopRun> run;
  std::vector<PartFacts> parts = {};  // none: it is whole
};

/// What a run tells of a pin's interrupt. Each edge is delivered, pending or lost.
struct InterruptRun {
  uint64_t edges = 0;
  uint64_t delivered = 0;
  uint64_t pending = 0;
  uint64_t no_room = 0, detached = 0, stopped = 0, too_soon = 0;  // lost
  uint64_t may_have_merged = 0;                                   // where the hardware has one bit
  Nanos longest_delay = 0;
};

struct InterruptFacts {
  std::optional<unsigned> pin;  // absent: not a constant, and nothing was attached
  const char* mode = nullptr;
  std::optional<unsigned> loop;  // that calls the handler; absent: it is a direct one
  std::string place;             // where that is declared
  Nanos budget, period;
  std::optional<Nanos> bound, paper_bound;
  std::optional<Nanos> longest = {};                    // that a direct handler took
  std::vector<NamedTerm> terms = {}, paper_terms = {};  // of the bounds, where they are a sum
  std::optional<InterruptRun> run;
};

/// Sections between noInterrupts() and interrupts().
struct SectionFacts {
  uint64_t count;
  Nanos longest, longest_wait;
  uint64_t given_up;                   // handlers that were not waited for any longer
  std::optional<uint64_t> remembered;  // edges that came meanwhile, where that is known
  Nanos declared = 0;                  // 0: no longest length is
  std::optional<Nanos> bound = {};     // how long sections hold handlers back at most
  uint64_t revoked = 0;                // times that handlers went on before sections had ended
};

/// Whose time a core's was, in all; the rest is the kernel's own.
struct SharedCore {
  Nanos beside;     // the other system's
  Nanos loops;      // their own work
  Nanos for_loops;  // what the kernel did for them
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

/// What a simulated machine is made of.
struct ModelFacts {
  Nanos block, device_access, ipi_latency, interrupt_entry;
  std::optional<uint64_t> blocks;
};

/// What the characters of a serial port take of the core, where interrupts move each of them.
struct SerialFacts {
  uint32_t rate;          // bits per second
  bool constant;          // or it is the highest that is reckoned with
  Nanos each;             // that is sent, of its writer's budget
  unsigned sent_before;   // paid for, and not sent yet
  double received_share;  // of the core, before all loops; 0: nobody reads
};

/// The costs that admission reckoned with, and what follows from them for a loop
/// (docs/decisions/who-pays.md).
struct OverheadFacts {
  Nanos interrupt_entry, context_switch, timer_interrupt, timer_lateness, longest_masked;
  std::optional<Nanos> longest_masked_seen;
  /// Of the costs above, the most that the run has shown, where it watches the kernel from outside.
  struct Seen {
    Nanos interrupt_entry, context_switch, timer_interrupt, longest_section;
  };
  std::optional<Seen> kernel_seen = {};
  std::optional<Nanos> longest_spin_seen;
  Nanos spin_blocking;
  Nanos activation;       // an activation and an end: one of each in a period comes free
  Nanos smallest_budget;  // that a loop may ask for
  unsigned pieces;        // of a period, in which consumption is put down
  unsigned refills;       // a list's length
};

/// What masked interrupts for the longest time.
struct MaskedFacts {
  int loop;                          // that ran; -1: none
  std::vector<std::uint64_t> codes;  // where it was meanwhile, from the beginning on
  std::string interrupt;             // whose handler it was; empty: none's
};

/// What had kept the kernel from acting before it took its longest for something.
struct HeldFacts {
  Nanos together, longest;
  std::string interrupt;  // whose handler the longest was; empty: a loop had masked interrupts
};

struct HeldBefore {
  HeldFacts context_switch, longest_masked;
};

/// Calls for memory that found no room, and returned a null pointer. Of the first one:
struct NoRoomFacts {
  std::string asker;  // "loop 1", "setup()"
  unsigned bytes;
  std::vector<std::uint64_t> codes;  // where it was made, the innermost call first
  unsigned times = 0;                // of all
};

/// A pin that a board has, and whether PWM can be made on it in this run.
struct PinFacts {
  unsigned pin;
  bool pwm;
};

struct RunFacts {
  std::string board;
  unsigned cores;
  uint64_t seed;
  Nanos duration;
  std::string clock;
  std::string tick;  // what a nanosecond of the clock counts; empty: the field is left out
  std::string end;
  bool accepted;
  std::vector<CoreFacts> admission;
  std::vector<std::string> reasons;
  std::vector<LoopFacts> loops;
  std::vector<InterruptFacts> interrupts = {};
  struct {
    Nanos budget = 0, period = 0;
  } handlers = {};  // of plain attachInterrupt() together, where that is limited in the interrupt
  std::optional<SerialFacts> serial_interrupts = {};
  std::optional<SectionFacts> sections = {};
  std::optional<BesideFacts> beside = {};
  std::optional<CounterFacts> counters;
  std::vector<Fault> faults;
  std::optional<ModelFacts> model;
  OverheadFacts overheads;
  std::optional<MaskedFacts> masked;  // where a board can tell
  std::optional<HeldBefore> held = {};
  std::optional<NoRoomFacts> no_room = {};
  /// Of a board without a kernel, whose clock is an interrupt that must not be held back for
  /// longer.
  std::optional<Nanos> clock_interrupt = {};
  std::string parts = "{}";                     // JSON
  std::string serial = "[]";                    // JSON
  std::optional<sim::WiringFacts> wiring = {};  // of a run
  std::vector<TextTimes> texts = {};            // of --note-text; none: the field is left out
  std::vector<std::string> notices;
  std::string policy = "vcpu";
  std::vector<PinFacts> pins = {};        // none: the board has those of the devices
  std::optional<BoundFacts> bounds = {};  // of a policy that promises something
};

/// One JSON object; bytes of a text that are no UTF-8 become U+FFFD.
std::string to_json(const RunFacts& facts);

}  // namespace hocket::program
