// The sketch that is linked with the kernel (see linked_sketch.h).
#include "simulation/machine/linked_sketch.h"

#include "arduino/runtime/sketches.h"
#include "costs.h"
#include "simulation/machine/program.h"
#include "simulation/program/options.h"

namespace hocket::sim {
namespace {

using program::UsageError;

// Only this file assumes that there is a single sketch.
runtime::Program the_program;
runtime::Sketch the_sketch;
constinit runtime::Sketches the_sketches;

constexpr unsigned kFirstLoopThread = 1;  // setup()'s thread precedes it

}  // namespace

void load_linked_sketch(const std::vector<SetLoop>& set_loops) {
  the_program = with_set_loops(runtime::linked_program(), set_loops);
  if (const char* error = the_sketch.load(the_program)) throw UsageError{error};
  if (!the_sketches.add(the_sketch)) throw UsageError{"the sketch has too many loops"};
  if (fault_policy() == OnFault::RestartSketch) {
    throw UsageError{
        "the board sim cannot restart a sketch, as HOCKET_ON_FAULT(RestartSketch) asks\n"
        "the sketch and the kernel are one program there; write StopLoop or StopSketch"};
  }
}

bool admit_linked_sketch(unsigned cores) {
  constexpr bool kByDeadline = Same<runtime::ChosenPolicy, runtime::policies::edf> ||
                               Same<runtime::ChosenPolicy, runtime::policies::hybrid_edf>;
  Board::Port::declare(costs_on(cores, kByDeadline ? kByDeadlineCosts : kByPriorityCosts));
  return the_sketches.admit(cores);
}

bool run_linked_sketch_anyway(unsigned cores) {
  return the_sketches.place_anyway(cores);
}

void prepare_linked_sketch(uint64_t seed) {
  if (!the_sketches.allocate_stacks()) {
    throw UsageError{"the host has no memory for the loops' stacks"};
  }
  runtime::seed_policy<System>(static_cast<uint32_t>(seed));
}

void boot_core(void* core) {
  the_sketches.boot(static_cast<CoreId>(reinterpret_cast<uintptr_t>(core)));
}

void close_accounts(unsigned cores, Nanos end) {
  const System::Instant instant(static_cast<int64_t>(end));
  for (unsigned i = 0; i < cores; ++i) System::close(static_cast<CoreId>(i), instant);
  for (unsigned i = 0; i < the_sketches.loop_count(); ++i) {
    the_sketches.loop(i).thread.meter.advance(instant);
  }
}

bool in_setup() {
  return the_sketches.in_setup();
}

std::vector<program::CallWatch::Member> watched_loops() {
  std::vector<program::CallWatch::Member> all;
  for (unsigned i = 0; i < the_sketches.loop_count(); ++i) {
    const runtime::Loop& loop = the_sketches.loop(i);
    if (loop.later != runtime::Loop::Later::Not || the_sketches.split_of(loop) != nullptr) continue;
    const LoopDescriptor& d = *loop.descriptor;
    all.push_back({.thread = static_cast<uint16_t>(kFirstLoopThread + i),
                   .loop = d.id,
                   .core = loop.vcpu.core,
                   .periodic = d.kind == LoopKind::Periodic,
                   .deadline = d.deadline_ns});
  }
  return all;
}

Nanos release_of(uint16_t thread) {
  return static_cast<Nanos>(the_sketches.loop(thread - kFirstLoopThread).release.ticks());
}

}  // namespace hocket::sim

hocket::runtime::Sketches& hocket::runtime::sketches() {
  return sim::the_sketches;
}
