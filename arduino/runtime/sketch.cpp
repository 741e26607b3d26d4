// Loading, starting and running the loops of a sketch (see sketch.h).
#include "arduino/runtime/sketch.h"

#include "arduino/runtime/defaults.h"
#include "arduino/runtime/interrupts.h"
#include "arduino/runtime/policy_choice.h"
#include "arduino/runtime/releases.h"
#include "arduino/runtime/sketches.h"
#include "arduino/runtime/start.h"
#include "kernel/base/periods.h"
#include "kernel/sched/charges.h"

namespace hocket::runtime {
namespace {

// On a board without pin interrupts, any pin number is accepted here.
constexpr unsigned kPins = BoardPins::kPins > 1 ? PinLines<BoardPins>::kNamed : UINT16_MAX;
constexpr uint64_t kThreadKindSetup = 2;
constexpr uint64_t kThreadKinds[] = {0, 1, 4, 5};            // indexed by LoopKind
constexpr Ticks kIterationLogGap = Rate::ticks_up(100'000);  // least time between two log entries
                                                             // of a loop
constexpr Ticks kStartDelay = Rate::ticks_up(1'000'000);  // least time from the end of setup() to
                                                          // the first release

System::Duration duration(uint64_t ticks) {
  return System::Duration(static_cast<Ticks>(ticks));
}

/// Logs an iteration, at most one per kIterationLogGap: short bodies would otherwise fill the log.
void log_iteration(Loop& self, System::Instant now) {
  if (now - self.iteration_logged < System::Duration(kIterationLogGap)) return;
  self.iteration_logged = now;
  System::note(EventKind::Iteration, static_cast<uint32_t>(self.iterations));
}

/// A call of a periodic loop's body has ended: counts its misses and waits for the next release.
/// Skipped releases count as missed, and so does each late call when it ends. Returns true if the
/// call has run past later releases. Takes constant time, however many those are.
bool end_release(Loop& self, System::Instant now) {
  if constexpr (PinLines<BoardPins>::kHasDirect) {
    if (Board::Port::in_irq()) return false;  // a direct handler has called end_iteration()
  }
  const LoopDescriptor& d = *self.descriptor;
  const TickDemand promised = promise(d);
  const System::Duration taken = now - self.release;
  self.worst_response = larger(self.worst_response, taken);
  if (taken > duration(promised.deadline)) ++self.deadline_misses;
  const auto release = static_cast<uint64_t>(self.release.ticks());
  const auto end = [now] { return static_cast<uint64_t>(now.ticks()); };
  uint64_t next = next_release<Divided>(release, promised.period, end);
  const bool overrun = next - release != promised.period;
  if (overrun) ++self.overruns;
  if (d.overrun == Overrun::CatchUp) next = release + promised.period;
  const uint64_t skipped = overrun ? (next - release) / promised.period - 1 : 0;
  self.calls_ended += 1 + skipped;
  self.skipped += skipped;
  self.deadline_misses += skipped;
  self.release = System::Instant(static_cast<Ticks>(next));
  System::sleep_until(self.release);
  return overrun;
}

/// Work or budget that a loop has not yet received, and since when it has been due.
struct Pending {
  bool any;
  System::Instant since;
};

Pending pending_of(const Loop& loop) {
  if (loop.is_periodic()) return {true, loop.release};
  if (second_part_of(loop) == nullptr) {
    if (loop.vcpu.is_ready()) return {true, loop.vcpu.release};
  } else {
    System::Instant since;
    if (SecondParts<System>::pending(*loop.thread.vcpu, loop.thread, since)) return {true, since};
  }
  // The loop's sleep may have ended without a dispatch since. Then it is due from the end of the
  // sleep, or from when it has budget again, whichever is later.
  return {loop.thread.state == ThreadState::Sleeping,
          larger(loop.thread.wake_at, loop.vcpu.server.time())};
}

/// What the loop's virtual CPUs have counted, both parts together.
Outcome outcome_of_parts(const Loop& loop) {
  const auto& v = loop.vcpu;
  Outcome outcome{v.releases, v.deadline_misses, v.worst_response};
  if (const System::Vcpu* const second = second_part_of(loop)) {
    outcome.releases += second->releases;
    outcome.deadline_misses += second->deadline_misses;
    outcome.worst_response = larger(outcome.worst_response, second->worst_response);
  }
  return outcome;
}

/// Entry of a loop's thread.
[[noreturn]] void run_loop(void* argument) {
  Loop& self = *static_cast<Loop*>(argument);
  if (self.is(LoopKind::BottomHalf)) interrupts::run_bottom_half(self);
  self.sketch->program().enter_loop(self);
  __builtin_unreachable();
}

void run_setup(void* argument) {
  Sketch& sketch = *static_cast<Loop*>(argument)->sketch;
  sketch.wait_for_loops();
  sketch.program().enter_setup(sketch);
}

/// Whether the common release of all loops is this loop's first one.
bool begins_with_others(const Loop& loop) {
  return !loop.serves_interrupts() && !loop.never_began();
}

[[gnu::cold]] void name_thread(CoreId core, uint16_t thread, uint32_t id, uint64_t kind) {
  System::record(System::core(core), System::now(), EventKind::ThreadNamed, thread, id, kind);
}

}  // namespace

Sketch::Sketch() = default;

/// Inserts the loop in the order of loop numbers.
[[gnu::cold]] void Sketch::add(const TableEntry& entry) {
  unsigned position = loops_used_++;
  for (; position > 0 && loops_[position - 1].descriptor->id > entry.descriptor->id; --position) {
    loops_[position].descriptor = loops_[position - 1].descriptor;
    loops_[position].declared = loops_[position - 1].declared;
  }
  loops_[position].descriptor = entry.descriptor;
  loops_[position].declared = entry.declared;
}

[[gnu::cold]] const char* Sketch::load(Program& program) {
  program_ = &program;
  setup_.sketch = this;
  loops_used_ = 0;
  table_.clear();
  plain_loop_ = plain_loop(program.plain_loop);
  if (program.plain_loop != nullptr) table_.add(plain_loop_);
  for (auto entry = program.loops_begin; entry != program.loops_end; ++entry) table_.add(**entry);
  if (const char* error =
          table_.complete<kPins>(interrupts::least_bottom_half(), PinLines<BoardPins>::kIo)) {
    return error;
  }
  for (unsigned i = 0; i < table_.count(); ++i) add(table_[i]);
  uint8_t later = 0;
  for (unsigned i = 0; i < loops_used_; ++i) {
    loops_[i].sketch = this;
    if (!loops_[i].descriptor->suspended) continue;
    loops_[i].later = Loop::Later::Suspended;
    loops_[i].later_number = later++;
  }
  return nullptr;
}

[[gnu::cold]] bool Sketch::allocate_stacks() {
  setup_.stack = Board::allocate_stack(*program_, Board::kDefaultStack);
  bool all = setup_.stack.base != nullptr;
  if constexpr (PinLines<BoardPins>::kOneInterrupt) {
    if (direct_count() > 0) {
      direct_stack_ = Board::allocate_stack(*program_, Board::kDefaultStack);
      all = all && direct_stack_.base != nullptr;
    }
  }
  for (unsigned i = 0; i < loops_used_; ++i) {
    const size_t asked = loops_[i].descriptor->stack_bytes;
    loops_[i].stack = Board::allocate_stack(*program_, asked == 0 ? Board::kDefaultStack : asked);
    all = all && loops_[i].stack.base != nullptr;
  }
  return all;
}

[[gnu::cold]] void Sketch::create_loops(CoreId core, unsigned first_thread, const Sketches& all) {
  all_ = &all;
  for (unsigned i = 0; i < loops_used_; ++i) {
    Loop& self = loops_[i];
    if (self.later != Loop::Later::Not) {
      if (core == 0) prepare_later(self, first_thread + 1 + i);
      continue;
    }
    if (self.vcpu.core != core) continue;
    const LoopDescriptor& d = *self.descriptor;
    Demand<Ticks> demand = all.demand_of(self);
    self.vcpu.deadline = System::Duration(self.promised() ? demand.deadline : 0);
    if constexpr (System::kMigrates) demand = all.first_demand_of(self);
    const auto number = static_cast<uint16_t>(first_thread + 1 + i);
    const auto slot = static_cast<System::Policy::Slot>(kFirstSlot + self.rank);
    const System::Duration budget(all.enforced(demand));
    const auto create = [&](auto... contract) {
      create_loop<System>(self.vcpu, slot, d.background, self.thread, number,
                          Board::thread_stack(self.stack, number), &run_loop, &self,
                          Board::domain_of(*program_), contract...);
    };
    const System::Duration slice(static_cast<Ticks>(Rate::ticks_up(1'000ull * d.turn_us())));
    join<System>(self.vcpu, {demand, self.rank, budget, slice}, create);
    SecondParts<System>::created(self.vcpu);
    name_thread(core, number, d.id, kThreadKinds[static_cast<unsigned>(d.kind)]);
    if (self.serves_interrupts()) start_loop(self, System::now());
  }
  cores_ready_.fetch_add(1, order::release);
}

[[gnu::cold]] void Sketch::start_setup(unsigned slot, unsigned first_thread) {
  const auto number = static_cast<uint16_t>(first_thread);
  System::add_best_effort(setup_.vcpu, static_cast<System::Policy::Slot>(slot));
  setup_.thread.id = number;
  System::create(setup_.thread, setup_.vcpu, Board::thread_stack(setup_.stack, number), &run_setup,
                 &setup_, Board::domain_of(*program_));
  name_thread(0, number, 0, kThreadKindSetup);
  phase_ = Phase::Setup;
  System::start(setup_.thread, System::now());
}

[[gnu::cold]] void Sketch::wait_for_loops() const {
  while (cores_ready_.load(order::acquire) < Board::Port::core_count()) Board::Port::relax();
}

[[gnu::cold]] void Sketch::end_setup() {
  interrupts::setup_ends(*this);
  phase_ = Phase::Running;
  unsigned count = 0;
  for (unsigned i = 0; i < loops_used_; ++i) count += begins_with_others(loops_[i]) ? 1 : 0;
  const Ticks delay = larger(kStartDelay, all_->longest_start(*this, count));
  // The delay is long enough to start all loops before this instant, even if setup() is
  // interrupted.
  const System::Instant at = System::now() + System::Duration(delay);
  for (unsigned i = 0; i < loops_used_; ++i) {
    if (begins_with_others(loops_[i])) start_loop(loops_[i], at);
  }
}

Loop* Sketch::loop_with_later_contract(unsigned id) {
  for (unsigned i = 0; i < loops_used_; ++i) {
    if (loops_[i].descriptor->id == id && loops_[i].later != Loop::Later::Not) return &loops_[i];
  }
  return nullptr;
}

/// On core 0, at boot, because the kernel's part of a thread's memory is allocated only then.
[[gnu::cold]] void Sketch::prepare_later(Loop& self, unsigned thread) {
  const auto number = static_cast<uint16_t>(thread);
  self.thread.id = number;
  self.later_stack = Board::thread_stack(self.stack, number);
  name_thread(0, number, self.descriptor->id, kThreadKinds[1]);
}

[[gnu::cold]] void Sketch::create_later(Loop& self, const Sketches& all) {
  const Demand<Ticks> demand = all.demand_of(self);
  self.vcpu.deadline = System::Duration(demand.deadline);
  const auto slot = static_cast<System::Policy::Slot>(all.later_slot(self));
  const System::Duration budget(all.enforced(demand));
  const System::Duration slice(
      static_cast<Ticks>(Rate::ticks_up(1'000ull * self.descriptor->turn_us())));
  join<System>(self.vcpu, {demand, self.rank, budget, slice},
               [&](auto... contract) { System::add(self.vcpu, slot, contract...); });
  System::create(self.thread, self.vcpu, self.later_stack, &run_loop, &self,
                 Board::domain_of(*program_));
}

bool Sketch::resume_later(Loop& self) {
  auto expected = Loop::Later::Admitted;
  if (!atomic_compare_exchange(self.later, expected, Loop::Later::Resumed, order::acquire_release,
                               order::acquire)) {
    return false;
  }
  if (phase_ != Phase::Running) return true;
  // Masked, so that the instant lies in the future when the loop is started.
  const Board::Port::IrqState state = Board::Port::irq_save();
  start_loop(self, System::now() + System::Duration(kStartDelay));
  Board::Port::irq_restore(state);
  return true;
}

void Sketch::start_loop(Loop& self, System::Instant at) {
  self.release = at;
  self.thread.meter.start(at, duration(promise(*self.descriptor).period));
  System::start(self.thread, at);
}

OverrunHandler end_iteration(Loop& self) {
  ++self.iterations;
  const System::Instant now = System::now();
  log_iteration(self, now);
  if (!self.is_periodic() || !end_release(self, now)) return nullptr;
  return self.descriptor->overrun == Overrun::Call ? self.descriptor->on_overrun : nullptr;
}

[[gnu::cold]] Outcome outcome_of(const Loop& loop, System::Instant end) {
  const bool periodic = loop.is_periodic();
  Outcome outcome = periodic ? Outcome{loop.calls_ended, loop.deadline_misses, loop.worst_response}
                             : outcome_of_parts(loop);
  const bool stopped = loop.thread.state == ThreadState::Stopped;
  if (loop.sketch->phase() != Phase::Running || loop.never_began()) return outcome;
  if (!periodic && !loop.promised())
    return outcome;                             // nothing is due: the policy gives the loop
                                                // no bound
  if (stopped && periodic) ++outcome.releases;  // the call in which it was stopped
  const Pending pending = pending_of(loop);
  if (stopped || !pending.any || loop.is(LoopKind::BottomHalf)) return outcome;
  const Ticks waited = (end - pending.since).ticks();
  const TickDemand promised = promise(*loop.descriptor);
  const auto period = static_cast<Ticks>(promised.period);
  if (periodic) outcome.releases += instants_before<Ticks>(waited + 1, period);
  const uint64_t missed = deadlines_before(waited, period, static_cast<Ticks>(promised.deadline));
  outcome.deadline_misses += missed;
  if (missed > 0) outcome.worst_response = larger(outcome.worst_response, end - pending.since);
  return outcome;
}

System::Thread* Sketch::thread_of(unsigned id) {
  if (id == kPlainLoop && phase_ == Phase::Setup) return &setup_.thread;
  unsigned first = 0;
  for (unsigned count = loops_used_; count > 0;) {  // loops_ is sorted by number
    const unsigned half = count / 2;
    const unsigned middle = first + half;
    if (loops_[middle].descriptor->id == id) {
      return loops_[middle].never_began() ? nullptr : &loops_[middle].thread;
    }
    if (loops_[middle].descriptor->id < id) {
      first = middle + 1;
      count -= half + 1;
    } else {
      count = half;
    }
  }
  return nullptr;
}

bool Sketch::is_plain() const {
  for (unsigned i = 0; i < loops_used_; ++i) {
    const LoopDescriptor& d = *loops_[i].descriptor;
    if (d.is_a_loop() && d.id != kPlainLoop) return false;
  }
  return true;
}

Loop* Sketch::bottom_half_for(unsigned pin) {
  Loop* for_all = nullptr;
  for (unsigned i = 0; i < loops_used_; ++i) {
    Loop& loop = loops_[i];
    if (!loop.is(LoopKind::BottomHalf)) continue;
    if (loop.descriptor->is_for(pin)) return &loop;
    // (A handler with a constant pin may have only its own bottom half. If its pin changes at run
    // time after all, any bottom half will do.)
    if (for_all == nullptr || loop.descriptor->is_for_all()) for_all = &loop;
  }
  return for_all;
}

const LoopDescriptor* Sketch::budget_of_bottom_half(const LoopDescriptor* declared) const {
  for (auto entry = program_->loops_begin; entry != program_->loops_end; ++entry) {
    if (*entry == declared && declared->kind == LoopKind::BottomHalf) return declared;
  }
  return nullptr;
}

Loop* Sketch::bottom_half_like(const LoopDescriptor& declared) {
  Loop* found = nullptr;
  for (unsigned i = 0; i < loops_used_ && found == nullptr; ++i) {
    const LoopDescriptor& d = *loops_[i].descriptor;
    const bool same = d.pin == declared.pin && d.mode == declared.mode;
    if (d.kind == LoopKind::BottomHalf && same) found = &loops_[i];
  }
  return found;
}

bool Sketch::unpark(unsigned id) {
  System::Thread* thread = thread_of(id);
  if (thread == nullptr) return false;
  System::resume(*thread);
  return true;
}

}  // namespace hocket::runtime
