// Loading, starting and running the loops of a sketch (see runtime.h).
#include "arduino/runtime/runtime.h"

#include "arduino/runtime/interrupts.h"
#include "arduino/runtime/loop_table.h"
#include "arduino/runtime/program.h"
#include "kernel/base/atomic.h"
#include "kernel/base/periods.h"

namespace hocket::runtime {
namespace {

constinit LoopDescriptor plain_loop_descriptor = plain_loop(nullptr);
constexpr uint64_t kThreadKindSetup = 2;
constexpr uint64_t kThreadKinds[] = {0, 1, 4, 5};  // of loops, by their kinds
constexpr Ticks kIterationLogGap = Rate::ticks_up(100'000);  // least time between two events
constexpr Ticks kStartDelay = Rate::ticks_up(1'000'000);  // from setup()'s end to the first release

Loop loops[Board::kMaxLoops];
unsigned loops_used = 0;
System::Vcpu setup_vcpu;
System::Thread setup_thread;
port::Stack setup_stack;
Phase the_phase = Phase::Loading;
Atomic<bool> core_is_ready[Board::Port::kCores];  // its loops can be started

System::Duration duration(uint64_t ticks) {
  return System::Duration(static_cast<Ticks>(ticks));
}

/// Loops are kept in the order of their numbers.
void add(const TableEntry& entry) {
  unsigned position = loops_used++;
  for (; position > 0 && loops[position - 1].descriptor->id > entry.descriptor->id; --position) {
    loops[position].descriptor = loops[position - 1].descriptor;
    loops[position].declared = loops[position - 1].declared;
  }
  loops[position].descriptor = entry.descriptor;
  loops[position].declared = entry.declared;
}

/// A body of a few instructions would fill the log with nothing else.
void log_iteration(Loop& self, System::Instant now) {
  if (now - self.iteration_logged < System::Duration(kIterationLogGap)) return;
  self.iteration_logged = now;
  System::note(EventKind::Iteration, static_cast<uint32_t>(self.iterations));
}

/// The call of a periodic loop's body is done; waits for the next one. Releases that an overrun has
/// run into are skipped, so that there is no burst of late calls; each skipped one counts as a
/// missed deadline.
void end_release(Loop& self, System::Instant now) {
  const TickDemand promised = promise(*self.descriptor);
  const System::Duration period = duration(promised.period);
  const System::Duration taken = now - self.release;
  self.worst_response = larger(self.worst_response, taken);
  if (taken > duration(promised.deadline)) ++self.deadline_misses;
  const uint64_t begun = larger(instants_before(taken.ticks(), period.ticks()), uint64_t{1});
  self.calls_ended += begun;
  self.deadline_misses += begun - 1;
  self.release += System::Duration(static_cast<Ticks>(begun) * period.ticks());
  System::sleep_until(self.release);
}

/// What a loop has to do, or was to be given, since when.
struct Pending {
  bool any;
  System::Instant since;
};

Pending pending_of(const Loop& loop) {
  if (loop.descriptor->kind == LoopKind::Periodic) return {true, loop.release};
  if (loop.vcpu.is_ready()) return {true, loop.vcpu.release};
  return {loop.thread.state == ThreadState::Sleeping, loop.thread.wake_at};  // nobody woke it
}

/// A loop's thread; its virtual CPU says how much of it there is.
[[noreturn]] void run_loop(void* argument) {
  Loop& self = *static_cast<Loop*>(argument);
  if (self.descriptor->kind == LoopKind::BottomHalf) interrupts::run_bottom_half();
  program::enter_loop(self);
}

/// Those of interrupts run while setup() does: it may wait for one.
bool serves_interrupts(const Loop& loop) {
  const LoopKind kind = loop.descriptor->kind;
  return kind == LoopKind::Handler || kind == LoopKind::BottomHalf;
}

void start_loop(Loop& self, System::Instant at) {
  self.release = at;
  self.thread.meter.start(at, duration(promise(*self.descriptor).period));
  System::start(self.thread, at);
}

void start_loops() {
  for (unsigned core = 0; core < Board::Port::core_count(); ++core) {
    while (!core_is_ready[core].load(order::acquire)) Board::Port::relax();
  }
  the_phase = Phase::Running;
  const System::Instant at = System::now() + System::Duration(kStartDelay);
  for (unsigned i = 0; i < loops_used; ++i) {
    if (!serves_interrupts(loops[i])) start_loop(loops[i], at);
  }
}

void run_setup(void*) {
  program::enter_setup();
}

void name_thread(CoreId core, uint16_t thread, uint32_t id, uint64_t kind) {
  System::record(System::core(core), System::now(), EventKind::ThreadNamed, thread, id, kind);
}

/// The loop joins its core at the priority that admission gave it.
void give_virtual_cpu(CoreId core, Loop& self) {
  constexpr unsigned kFirstSlot = 1;  // slot 0 is for spinlocks
  const Demand<Ticks> demand = demand_of(self);
  const auto slot = static_cast<uint16_t>(kFirstSlot + self.rank);
  const System::Duration budget(overheads(Board::Port::core_count()).enforced(demand));
  const System::Duration period(demand.period);
  System::Policy& policy = System::core(core).policy;
  if constexpr (kServesIo<System::Policy::SupplyServer>) {
    if (demand.io) return policy.add(self.vcpu, slot, budget, period, System::now(), ForIo{});
  }
  policy.add(self.vcpu, slot, budget, period, System::now());
}

/// Creates the loops that admission gave to this core, at the priorities it gave them.
void create_loops(CoreId core) {
  for (unsigned i = 0; i < loops_used; ++i) {
    Loop& self = loops[i];
    if (self.vcpu.core != core) continue;
    const LoopDescriptor& d = *self.descriptor;
    const TickDemand promised = promise(d);
    give_virtual_cpu(core, self);
    self.vcpu.background = d.background;
    self.vcpu.deadline = duration(promised.deadline);
    self.thread.id = static_cast<uint16_t>(i + 1);
    System::create(self.thread, self.vcpu, Board::thread_stack(self.stack, self.thread.id),
                   &run_loop, &self);
    name_thread(core, self.thread.id, d.id, kThreadKinds[static_cast<unsigned>(d.kind)]);
    if (serves_interrupts(self)) start_loop(self, System::now());
  }
}

void create_setup(unsigned slot) {
  System::core(0).policy.add_best_effort(setup_vcpu, static_cast<uint16_t>(slot));
  setup_thread.id = kSetupThread;
  System::create(setup_thread, setup_vcpu, Board::thread_stack(setup_stack, kSetupThread),
                 &run_setup, nullptr);
  name_thread(0, kSetupThread, 0, kThreadKindSetup);
}

}  // namespace

const char* load() {
  static LoopTable<Board::kMaxLoops> table;
  loops_used = 0;
  table.clear();
  plain_loop_descriptor.body = program::plain_loop();
  if (plain_loop_descriptor.body != nullptr) table.add(plain_loop_descriptor);
  for (auto entry = program::loops_begin(); entry != program::loops_end(); ++entry) {
    table.add(**entry);
  }
  const char* const error = table.complete(interrupts::least_bottom_half());
  for (unsigned i = 0; error == nullptr && i < table.count(); ++i) add(table[i]);
  return error;
}

void boot(void* argument) {
  const auto core = static_cast<CoreId>(reinterpret_cast<uintptr_t>(argument));
  const unsigned slots = core_report(core).loops + 2;
  System::init_core(core, slots);
  create_loops(core);
  core_is_ready[core].store(true, order::release);
  if (core == 0) {
    the_phase = Phase::Setup;
    create_setup(slots - 1);
    System::start(setup_thread, System::now());
    Board::started();
  }
  System::run_core();
}

void end_setup() {
  start_loops();
}

void end_iteration(Loop& self) {
  ++self.iterations;
  const System::Instant now = System::now();
  log_iteration(self, now);
  if (self.descriptor->kind == LoopKind::Periodic) end_release(self, now);
}

Outcome outcome_of(const Loop& loop, System::Instant end) {
  const bool periodic = loop.descriptor->kind == LoopKind::Periodic;
  const auto& v = loop.vcpu;
  Outcome outcome = periodic ? Outcome{loop.calls_ended, loop.deadline_misses, loop.worst_response}
                             : Outcome{v.releases, v.deadline_misses, v.worst_response};
  const bool stopped = loop.thread.state == ThreadState::Stopped;
  if (the_phase != Phase::Running) return outcome;
  if (stopped && periodic) ++outcome.releases;  // of the call that it stopped in
  const Pending pending = pending_of(loop);
  if (stopped || !pending.any) return outcome;
  const Ticks waited = (end - pending.since).ticks();
  const TickDemand promised = promise(*loop.descriptor);
  const auto period = static_cast<Ticks>(promised.period);
  if (periodic) outcome.releases += instants_before<Ticks>(waited + 1, period);
  const uint64_t missed = deadlines_before(waited, period, static_cast<Ticks>(promised.deadline));
  outcome.deadline_misses += missed;
  if (missed > 0) outcome.worst_response = larger(outcome.worst_response, end - pending.since);
  return outcome;
}

unsigned loop_count() {
  return loops_used;
}
unsigned sketch_loop_count() {
  unsigned count = 0;
  for (unsigned i = 0; i < loops_used; ++i) {
    count += loops[i].descriptor->kind == LoopKind::BottomHalf ? 0 : 1;
  }
  return count;
}
Loop& loop(unsigned index) {
  return loops[index];
}
const port::Stack& setup_thread_stack() {
  return setup_stack;
}
Phase phase() {
  return the_phase;
}

bool allocate_stacks() {
  setup_stack = Board::allocate_stack(Board::kDefaultStack);
  bool all = setup_stack.base != nullptr;
  for (unsigned i = 0; i < loops_used; ++i) {
    const size_t asked = loops[i].descriptor->stack_bytes;
    loops[i].stack = Board::allocate_stack(asked == 0 ? Board::kDefaultStack : asked);
    all = all && loops[i].stack.base != nullptr;
  }
  return all;
}

System::Thread* thread_of(unsigned id) {
  if (id == kPlainLoop && the_phase == Phase::Setup) return &setup_thread;
  unsigned first = 0;
  for (unsigned count = loops_used; count > 0;) {  // they are in the order of their numbers
    const unsigned half = count / 2;
    const unsigned middle = first + half;
    if (loops[middle].descriptor->id == id) return &loops[middle].thread;
    if (loops[middle].descriptor->id < id) {
      first = middle + 1;
      count -= half + 1;
    } else {
      count = half;
    }
  }
  return nullptr;
}

}  // namespace hocket::runtime
