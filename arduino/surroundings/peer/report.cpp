// The facts of a run, as records (see report.h).
#include "arduino/surroundings/peer/report.h"

#include "arduino/cores/protected/kernel/domain.h"
#include "arduino/cores/protected/kernel/faults.h"
#include "arduino/cores/protected/kernel/locks.h"
#include "arduino/runtime/complaints.h"
#include "arduino/runtime/no_room.h"
#include "arduino/runtime/sketches.h"
#include "arduino/surroundings/peer/other_system.h"
#include "arduino/surroundings/peer/world.h"

namespace hocket::report {
namespace {

using runtime::Loop;
using world::Operation;

static_assert(static_cast<uint32_t>(LoopKind::BottomHalf) ==
              static_cast<uint32_t>(world::Kind::BottomHalf));

uint64_t ns(System::Duration duration) {
  return duration.ticks() < 0 ? 0 : Board::nanoseconds(duration.ticks());
}

uint32_t length(const char* text) {
  uint32_t count = 0;
  while (text[count] != '\0') ++count;
  return count;
}

/// Threads of a sketch measure their own holds; one that has not started holds nothing. A claim may
/// be wrong, but no hold is longer than the run.
uint64_t longest_hold(System::Instant end) {
  const auto most = static_cast<uint64_t>(end.ticks());
  uint64_t longest = 0;
  for (unsigned i = 0; i < runtime::sketches().loop_count(); ++i) {
    const uint64_t storage = runtime::sketches().loop(i).thread.context.thread_storage;
    if (storage != 0) longest = larger(longest, smaller(locks::longest(storage), most));
  }
  return Board::nanoseconds(static_cast<Board::Port::Ticks>(longest));
}

world::RunFacts run_facts(System::Instant end, unsigned cores, bool accepted) {
  const auto reckoned = runtime::sketches().overheads(cores);
  const auto& costs = reckoned.costs;  // including the sections of drivers
  world::RunFacts facts{};
  facts.duration = Board::nanoseconds(end.ticks());
  facts.accepted = accepted ? 1 : 0;
  facts.cores = cores;
  facts.in_setup = runtime::sketches().in_setup() ? 1 : 0;
  facts.restarts = faults::restarts();
  const runtime::CountersOfAll counted = runtime::sketches().counters(cores, end);
  facts.thread_switches = counted.threads.switches;
  facts.preemptions = counted.threads.preemptions;
  facts.timer_interrupts = counted.cores.timer_interrupts;
  facts.sleeps = counted.threads.sleeps;
  facts.wakes = counted.wakes;
  facts.ipis = counted.cores.ipis;
  facts.interrupt_entry = Board::nanoseconds(costs.interrupt_entry);
  facts.context_switch = Board::nanoseconds(costs.context_switch);
  facts.timer_interrupt = Board::nanoseconds(costs.timer_interrupt);
  facts.timer_lateness = Board::nanoseconds(costs.timer_lateness);
  facts.longest_masked = Board::nanoseconds(costs.longest_masked);
  facts.longest_masked_seen = world::kUnknown;
  facts.longest_spin_seen = longest_hold(end);
  facts.spin_blocking = Board::nanoseconds(reckoned.blocking);
  facts.activation = Board::nanoseconds(reckoned.activation());
  facts.smallest_budget = Board::nanoseconds(smallest_budget(costs));
  facts.pieces = kPiecesPerPeriod;
  facts.refills = SystemConfig::kRefills;
  facts.pin_interrupts =
      kPinsHaveInterrupts ? runtime::interrupts::top_half_count() : world::kUnknown;
  if (runtime::sketches().loop_count() > 0) {
    const auto sections = runtime::sketches().loop(0).sketch->handlers().seen_until(end);
    facts.sections = sections.count;
    facts.longest_section = ns(sections.longest);
    facts.longest_section_wait = ns(sections.longest_wait);
    facts.given_up = sections.given_up;
    facts.remembered = sections.remembered;
    facts.revoked = sections.revoked;
    runtime::Sketch& sketch = *runtime::sketches().loop(0).sketch;
    const runtime::Ticks held = runtime::sketches().longest_held(sketch);
    facts.section_bound = held == 0 ? world::kUnknown : Board::nanoseconds(held);
    facts.section_declared = sketch.program().longest_section_ns;
  }
  return facts;
}

world::LoopFacts loop_facts(const Loop& loop, System::Instant end, bool ran) {
  const LoopDescriptor& d = *loop.descriptor;
  const auto& meter = loop.thread.meter;
  world::LoopFacts facts{};
  facts.id = d.id;
  facts.kind = static_cast<uint32_t>(d.kind);
  facts.core = loop.vcpu.core;
  facts.budget = d.budget_ns;
  facts.period = d.period_ns;
  // A bottom half has the deadline of the loops that it serves.
  facts.deadline = d.kind == LoopKind::BottomHalf
                       ? Board::nanoseconds(runtime::sketches().demand_of(loop).deadline)
                       : d.deadline_ns;
  facts.iterations = loop.iterations;
  facts.cpu_time = ns(loop.thread.meter.total());
  facts.kernel_time = ns(loop.thread.kernel_time);
  facts.least_cpu = meter.windows() > 0 ? ns(meter.least()) : world::kUnknown;
  facts.most_cpu = meter.windows() > 0 ? ns(meter.most()) : world::kUnknown;
  facts.exhausted = loop.vcpu.exhausted;
  const runtime::Outcome outcome = runtime::outcome_of(loop, end);
  facts.releases = outcome.releases;
  facts.deadline_misses = outcome.deadline_misses;
  facts.worst_response = ns(outcome.worst_response);
  facts.response_bound =
      loop.promised() ? Board::nanoseconds(loop.response_bound) : world::kUnknown;
  facts.switches = loop.thread.counters.switches;
  facts.preemptions = loop.thread.counters.preemptions;
  facts.sleeps = loop.thread.counters.sleeps;
  facts.wakes = runtime::wakes_of(loop, end);
  facts.overruns = loop.is_periodic() ? loop.overruns : world::kUnknown;
  facts.skipped = loop.is_periodic() ? loop.skipped : world::kUnknown;
  facts.stack_size = loop.stack.size;
  facts.stack_used = ran ? Domain::stack_used(loop.stack) : 0;
  return facts;
}

world::InterruptFacts declared_facts(const LoopDescriptor& d) {
  world::InterruptFacts facts{};
  facts.pin = d.pin;
  facts.mode = d.mode;
  facts.loop = d.id;
  facts.line = d.line;
  facts.budget = d.budget_ns;
  facts.period = d.period_ns;
  facts.bound = facts.paper_bound = world::kUnknown;
  for (size_t i = 0; i < sizeof facts.file && d.file[i] != '\0'; ++i) facts.file[i] = d.file[i];
  return facts;
}

/// The facts of an interrupt before anything is attached.
world::InterruptFacts declared_interrupt(const Loop& loop, bool accepted) {
  world::InterruptFacts facts = declared_facts(*loop.descriptor);
  if (!accepted || !loop.promised() || !kPinsHaveInterrupts) return facts;
  const runtime::DelayBounds bounds = runtime::sketches().delay_bounds(loop);
  facts.bound = Board::nanoseconds(bounds.sound);
  facts.paper_bound = Board::nanoseconds(bounds.paper);
  return facts;
}

world::InterruptFacts declared_direct(const runtime::interrupts::Direct& direct, bool accepted) {
  world::InterruptFacts facts = declared_facts(*direct.declared);
  facts.loop = 0;
  if (accepted) {
    facts.bound = Board::nanoseconds(runtime::sketches().direct_bound(*direct.declared));
  }
  facts.longest = static_cast<uint32_t>(smaller<uint64_t>(ns(direct.longest), UINT32_MAX));
  return facts;
}

world::InterruptFacts attached_interrupt(unsigned number, const runtime::interrupts::Pin& pin,
                                         System::Instant end) {
  using runtime::LostEdge;
  world::InterruptFacts facts = pin.former_direct != nullptr
                                    ? declared_direct(*pin.former_direct, /*accepted=*/true)
                                    : declared_interrupt(*pin.former, /*accepted=*/true);
  // Edges that the hardware has stored and that were not taken also wait.
  const uint64_t untaken = runtime::interrupts::untaken(pin).count;
  facts.pin = static_cast<int32_t>(number);
  facts.mode = static_cast<int32_t>(pin.mode);
  facts.attached = 1;
  facts.edges = pin.account.arrived() + untaken;
  facts.delivered = pin.account.delivered();
  facts.pending = pin.account.pending() + untaken;
  facts.no_room = pin.account.lost(LostEdge::NoRoom);
  facts.detached = pin.account.lost(LostEdge::Detached);
  facts.stopped = pin.account.lost(LostEdge::Stopped);
  facts.too_soon = pin.account.lost(LostEdge::TooSoon);
  facts.longest_delay = ns(runtime::interrupts::longest_delay(pin, end));
  return facts;
}

void tell(const world::InterruptFacts& facts) {
  world::ask(Operation::InterruptFacts, 0, 0, 0, &facts, sizeof facts);
}

/// The facts of pins, and of handler loops to which no pin was attached.
void tell_interrupts(System::Instant end, bool accepted, bool ran) {
  for (unsigned number = 0; ran && number < runtime::BoardPins::kPins; ++number) {
    const runtime::interrupts::Pin* const pin = runtime::interrupts::pin(number);
    if (pin != nullptr) tell(attached_interrupt(number, *pin, end));
  }
  for (unsigned i = 0; i < runtime::sketches().loop_count(); ++i) {
    const Loop& loop = runtime::sketches().loop(i);
    if (!loop.is(LoopKind::Handler)) continue;
    bool used = false;
    for (unsigned number = 0; ran && number < runtime::BoardPins::kPins; ++number) {
      const runtime::interrupts::Pin* const pin = runtime::interrupts::pin(number);
      used = used || (pin != nullptr && pin->former == &loop);
    }
    if (!used) tell(declared_interrupt(loop, accepted));
  }
  for (unsigned i = 0; i < runtime::interrupts::direct_count(); ++i) {
    const runtime::interrupts::Direct& direct = runtime::interrupts::direct(i);
    bool used = false;
    for (unsigned number = 0; ran && number < runtime::BoardPins::kPins; ++number) {
      const runtime::interrupts::Pin* const pin = runtime::interrupts::pin(number);
      used = used || (pin != nullptr && pin->former_direct == &direct);
    }
    if (!used) tell(declared_direct(direct, accepted));
  }
}

/// Calls for memory that found none.
void tell_no_room() {
  const uint64_t times = runtime::no_room_times();
  if (times == 0) return;
  const runtime::NoRoom& said = runtime::no_room();
  world::NoRoomFacts facts{};
  facts.loop = said.loop;
  facts.code_count = said.code_count;
  facts.bytes = said.bytes;
  facts.times = times;
  static_assert(sizeof facts.codes == sizeof said.codes);
  __builtin_memcpy(facts.codes, said.codes, sizeof facts.codes);
  world::ask(Operation::NoRoomFacts, 0, 0, 0, &facts, sizeof facts);
}

void tell_complaints() {
  for (unsigned i = 0; i < runtime::interrupts::complaint_count(); ++i) {
    Text<300> text;
    put_complaint(text, runtime::interrupts::complaint(i));
    notice(text.c_str());
  }
}

void tell_long_sections(System::Instant end) {
  for (unsigned i = 0; i < runtime::sketches().loop_count(); ++i) {
    const Loop& loop = runtime::sketches().loop(i);
    Text<500> text;
    if (!runtime::interrupts::put_long_section(text, loop,
                                               runtime::interrupts::longest_section(loop, end)))
      continue;
    notice(text.c_str());
  }
}

world::FaultFacts fault_facts(const faults::Record& fault) {
  world::FaultFacts facts{};
  facts.loop = fault.loop;
  facts.pin = fault.pin;
  facts.restart = fault.restart ? 1 : 0;
  facts.address = fault.address;
  facts.code = fault.code;
  static_assert(sizeof facts.kind == sizeof fault.kind && sizeof facts.text == sizeof fault.text);
  __builtin_memcpy(facts.kind, fault.kind, sizeof facts.kind);
  __builtin_memcpy(facts.text, fault.text, sizeof facts.text);
  return facts;
}

/// Loops that wait for a spinlock that setup() never released.
void tell_kept_locks() {
  for (unsigned i = 0; i < runtime::sketches().loop_count(); ++i) {
    const Loop& waiter = runtime::sketches().loop(i);
    const Loop& setup = waiter.sketch->setup();
    const uint32_t kept = locks::said(setup.thread.context.thread_storage);
    if (setup.thread.state != ThreadState::Stopped || kept == 0) continue;
    if (locks::said(waiter.thread.context.thread_storage) != kept) continue;
    Text<200> text;
    runtime::put_kept_lock(text, waiter, setup);
    notice(text.c_str());
  }
}

/// The inputs of admission, if the policy promises something.
void tell_bounds(unsigned cores, bool accepted) {
  if (!kPromises<runtime::Sketches::Analysis>) return;
  const auto tell_one = [](Operation operation, const auto& record) {
    world::ask(operation, 0, 0, 0, &record, sizeof record);
  };
  const runtime::Sketches& sketches = runtime::sketches();
  tell_one(Operation::BoundCosts, stated::Costs::of(sketches.overheads(cores), Board::kTickHz));
  sketches.state_ranks([&](const stated::Rank& rank) {
    if (!accepted || rank.core != stated::Rank::kNone) tell_one(Operation::BoundRanks, rank);
  });
  sketches.state_interrupts(
      [&](const stated::Interrupts& each) { tell_one(Operation::BoundInterrupts, each); });
  if (!accepted || !kPinsHaveInterrupts) return;
  for (unsigned i = 0; i < sketches.loop_count(); ++i) {
    const Loop& loop = runtime::sketches().loop(i);
    if (!loop.is(LoopKind::Handler) || !loop.promised()) continue;
    sketches.state_deliveries(
        loop, [&](const stated::Delivery& each) { tell_one(Operation::BoundDelivery, each); });
  }
  for (unsigned i = 0; i < runtime::interrupts::direct_count(); ++i) {
    tell_one(Operation::BoundDirect, sketches.state_direct(runtime::interrupts::direct(i)));
  }
}

void tell_beside(unsigned cores) {
  world::BesideFacts facts;
  if (!other_system::tell(facts, cores)) return;
  world::ask(Operation::BesideFacts, 0, 0, 0, &facts, sizeof facts);
}

}  // namespace

void send(System::Instant end, unsigned cores, bool accepted) {
  const bool ran = end > System::Instant(0);
  const world::RunFacts facts = run_facts(end, cores, accepted);
  world::ask(Operation::Facts, 0, 0, 0, &facts, sizeof facts);
  for (unsigned i = 0; i < cores; ++i) {
    const runtime::CoreReport core = runtime::sketches().core_report(i);
    const world::CoreFacts record{core.utilization_ppm, core.liu_layland_ppm};
    world::ask(Operation::CoreFacts, 0, 0, 0, &record, sizeof record);
  }
  for (unsigned i = 0; i < runtime::sketches().loop_count(); ++i) {
    if (runtime::sketches().loop(i).never_asked()) continue;
    const world::LoopFacts record = loop_facts(runtime::sketches().loop(i), end, ran);
    world::ask(Operation::LoopFacts, 0, 0, 0, &record, sizeof record);
  }
  for (unsigned i = 0; i < faults::count(); ++i) {
    const world::FaultFacts record = fault_facts(faults::record(i));
    world::ask(Operation::FaultFacts, 0, 0, 0, &record, sizeof record);
  }
  tell_interrupts(end, accepted, ran);
  tell_bounds(cores, accepted);
  if (ran) tell_beside(cores);
  if (ran) tell_kept_locks();
  if (ran) tell_no_room();
  if (ran) tell_complaints();
  if (ran) tell_long_sections(end);
  for (unsigned i = 0; i < runtime::sketches().reason_count(); ++i) {
    const char* text = runtime::sketches().reason(i);
    world::ask(Operation::Reason, 0, 0, 0, text, length(text));
  }
}

void notice(const char* text) {
  world::ask(Operation::Notice, 0, 0, 0, text, length(text));
}

}  // namespace hocket::report
