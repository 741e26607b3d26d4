// Faults of the sketch (see faults.h).
#include "arduino/cores/protected/kernel/faults.h"

#include "arduino/cores/protected/kernel/domain.h"
#include "arduino/cores/protected/kernel/locks.h"
#include "arduino/cores/protected/kernel/own_stack.h"
#include "arduino/cores/protected/kernel/restart.h"
#include "arduino/cores/protected/kernel/run.h"
#include "arduino/runtime/interrupts.h"
#include "arduino/runtime/sketches.h"
#include "kernel/base/atomic.h"
#include "kernel/base/text.h"
#include "surroundings.h"

namespace hocket::faults {
namespace {

using sketch::FaultPolicy;

constexpr unsigned kMostRestarts = 16;  // a sketch that faults again and again would not recover
// In the end every thread and every direct handler stops once at most. Before each restart one
// thread of every core may.
constexpr unsigned kMost =
    Board::kMaxLoops + 1 + runtime::interrupts::kMostDirect + kMostRestarts * Board::Port::kCores;
constexpr uint32_t kKindInLog = 100;  // for all faults; the report has the details

[[gnu::section(".kept_zero")]] Record records[kMost];
[[gnu::section(".kept_zero")]] Atomic<uint32_t> recorded;
[[gnu::section(".kept_zero")]] Atomic<uint32_t> restarted;
Atomic<uint32_t> stopped;

void copy(char* to, size_t room, const char* from, size_t length) {
  const size_t taken = smaller(length, room);
  for (size_t i = 0; i < taken; ++i) to[i] = from[i];
  for (size_t i = taken; i < room; ++i) to[i] = '\0';
}

/// Records a fault. Masked and short, so that a core that ends the run or restarts finds the record
/// complete. Returns false if there is no room.
bool keep(const Record& fact) {
  const Board::Port::IrqState state = Board::Port::irq_save();
  const uint32_t number = recorded.fetch_add(1, order::acquire_release);
  const bool room = number < kMost;
  if (room) records[number] = fact;
  Board::Port::irq_restore(state);
  return room;
}

size_t length_of(const char* text) {
  size_t length = 0;
  while (text[length] != '\0') ++length;
  return length;
}

}  // namespace

namespace {

/// A direct handler has faulted. It is not a loop: it is detached, and no loop stops.
[[gnu::cold]] void note_direct(Record& fact) {
  const FaultPolicy policy = Domain::current().header().fault_policy;
  fact.restart =
      policy == FaultPolicy::RestartSketch && restarted.load(order::acquire) < kMostRestarts;
  fact.pin = static_cast<int32_t>(runtime::interrupts::direct_pin());
  if (keep(fact)) surroundings::tell(fact);
  System::note(EventKind::Fault, kKindInLog);
  if (fact.restart) restart::begin(restarted);
  if (policy == FaultPolicy::StopSketch) run::finish(run::End::Fault);
}

/// Whether the running thread's own stack has overflowed when it accessed this address. The guard
/// page of another stack means a wild pointer.
[[gnu::always_inline]] inline bool own_stack_overrun(uint64_t address) {
  const sketch::UserStacks& stacks = Domain::current().stacks();
  const unsigned number = stacks.find_overrun(address);
  const port::Stack& own = own_stack();
  return number != sketch::UserStacks::kNone &&
         stacks[number].begin == reinterpret_cast<uint64_t>(own.base);
}

/// Not of a loop, as long as nobody says of which.
[[gnu::always_inline]] inline Record fact_of(const char* kind, uint64_t address, uint64_t code,
                                             const char* text, size_t text_length) {
  Record fact{};
  fact.loop = -1;
  fact.pin = -1;
  fact.address = address;
  fact.code = code;
  copy(fact.kind, sizeof fact.kind, kind, length_of(kind));
  copy(fact.text, sizeof fact.text, text, text_length);
  return fact;
}

}  // namespace

[[gnu::cold]] void stop(const char* kind, uint64_t address, uint64_t code, const char* text,
                        size_t text_length) {
  Record fact = fact_of(kind, address, code, text, text_length);
  if (direct::runs()) {
    note_direct(fact);
    direct::end_faulted();
  }
  runtime::Loop* loop = runtime::current_loop();
  const FaultPolicy policy = Domain::current().header().fault_policy;
  // Not in setup(), which would fault at the same place again.
  const bool restart = policy == FaultPolicy::RestartSketch && loop != nullptr &&
                       restarted.load(order::acquire) < kMostRestarts;
  if (loop != nullptr) fact.loop = static_cast<int32_t>(loop->descriptor->id);
  fact.restart = restart;
  if (keep(fact)) surroundings::tell(fact);
  if (restart) {
    System::note(EventKind::Fault, kKindInLog);
    restart::begin(restarted);
  }
  if (loop != nullptr) {
    locks::release(loop->thread.context.thread_storage);
    runtime::interrupts::loop_stops(*loop);
  }
  const uint32_t none_left =
      stopped.fetch_add(1, order::acquire_release) + 1 == runtime::sketches().own_loop_count();
  // A fault in setup() ends the run, because the loops have not been started.
  if (loop == nullptr || none_left || policy == FaultPolicy::StopSketch) {
    run::finish(run::End::Fault);
  }
  System::stop_self(kKindInLog);
}

[[gnu::cold]] void tell_of_direct(const char* text) {
  Record fact = fact_of("call", kUnknown, kUnknown, text, length_of(text));
  note_direct(fact);
}

void stop_at(const char* kind, uint64_t address, uint64_t code, const char* text) {
  stop(kind, address, code, text, length_of(text));
}
void stop_caller(const char* text, uint64_t code) {
  stop_at("call", kUnknown, code, text);
}

[[gnu::cold]] void stop_access(uint64_t address, uint64_t code) {
  stop_at(own_stack_overrun(address) ? "stack overflow" : "bad access", address, code, "");
}

[[gnu::cold]] void stop_jump(uint64_t address, uint64_t code, uint64_t link) {
  const bool called = Domain::current().memory().executable(link);
  stop_at("bad access", address, called ? link - 1 : code, "tried to execute what is no code");
}

unsigned count() {
  return smaller(recorded.load(order::acquire), kMost);
}
const Record& record(unsigned index) {
  return records[index];
}
unsigned restarts() {
  return restarted.load(order::acquire);
}

}  // namespace hocket::faults
