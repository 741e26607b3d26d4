// Admission and start of all sketches of the machine (see sketches.h).
#include "arduino/runtime/sketches.h"

#include "admission/delivery.h"
#include "arduino/runtime/interrupts.h"

namespace hocket::runtime {
namespace {

/// The longest time (ticks) for which drivers prevent a switch on a core, if the board declares
/// one.
template <class AnyBoard>
Ticks ordinary_sections(unsigned cores) {
  if constexpr (requires { AnyBoard::ordinary_sections(cores); }) {
    return AnyBoard::ordinary_sections(cores);
  } else {
    return 0;
  }
}

/// Reserves the time on core 0 that interrupts of the board's own devices take, if the board
/// declares it.
template <class AnyBoard, class Admission>
void add_device_interrupts([[maybe_unused]] Admission& admission, [[maybe_unused]] unsigned cores) {
  if constexpr (requires { AnyBoard::device_interrupts(cores); }) {
    const auto own = AnyBoard::device_interrupts(cores);
    if (own.length > 0) admission.add_device(own.length, own.distance, 0);
  }
}

/// Whether the sketch has several handlers' loops, or a direct handler. A direct handler counts as
/// several: a section that waits for its end is not woken at once.
bool has_several_handlers(Sketch& sketch) {
  unsigned handlers = sketch.direct_count() > 0 ? 2 : 0;
  for (unsigned i = 0; i < sketch.loop_count(); ++i) {
    if (sketch.loop(i).is(LoopKind::Handler)) ++handlers;
  }
  return handlers > 1;
}

}  // namespace

bool Sketches::add(Sketch& sketch) {
  if (used_ == kMost || loops_used_ + sketch.loop_count() > Board::kMaxLoops) return false;
  sketches_[used_++] = &sketch;
  for (unsigned i = 0; i < sketch.loop_count(); ++i) {
    Loop& loop = sketch.loop(i);
    loops_[loops_used_++] = &loop;
    if (loop.is(LoopKind::BottomHalf)) loop.line = bottom_halves_++;
    if (loop.later != Loop::Later::Not) ++later_;
  }
  bool all = bottom_halves_ <= PinLines<BoardPins>::kIo;
  for (unsigned i = 0; i < sketch.direct_count(); ++i) {
    all = interrupts::add_direct(sketch, sketch.direct(i)) && all;
  }
  return all;
}

bool Sketches::admit(unsigned cores) {
  cores_ = cores;
  static const LoopDescriptor* declared[Board::kMaxLoops];
  if constexpr (PinLines<BoardPins>::kOneInterrupt) bring_together();
  for (unsigned i = 0; i < loops_used_; ++i) declared[i] = loops_[i]->descriptor;
  add_device_interrupts<Board>(admission_, cores);
  for (unsigned i = 0; i < interrupts::direct_count(); ++i) {
    const interrupts::Direct& direct = interrupts::direct(i);
    admission_.add_handler(interrupts::direct_cost(direct.length), direct.distance, 0);
  }
  const bool accepted =
      admission_.admit(declared, loops_used_, cores, overheads(cores), BoardPins::kTopHalf);
  for (unsigned i = 0; i < loops_used_; ++i) {
    const Place<Ticks>& place = admission_.place(i);
    take_place(i);
    const bool bounded = place.response_bound < Analysis::kUnbounded;
    loops_[i]->response_bound = bounded || !accepted ? place.response_bound : 0;
    loops_[i]->section_bound = section_bound(*loops_[i]);
  }
  for (unsigned i = 0; i < used_; ++i) {
    sketches_[i]->handlers().several = has_several_handlers(*sketches_[i]);
  }
  if constexpr (System::kMigrates) {
    if (accepted) split_loops();
  }
  return accepted;
}

/// Gives a loop its core and its rank there.
inline void Sketches::take_place(unsigned index) {
  const Place<Ticks>& place = admission_.place(index);
  loops_[index]->vcpu.core = place.core;
  loops_[index]->rank = place.rank;
}

/// The deadline stands for the bound that no loop has, so that misses are counted as after an
/// admission.
[[gnu::cold]] bool Sketches::place_anyway(unsigned cores) {
  if (!admission_.place_anyway(cores)) return false;
  for (unsigned i = 0; i < loops_used_; ++i) {
    Loop& loop = *loops_[i];
    const Demand<Ticks> demand = demand_of(loop);
    take_place(i);
    loop.response_bound = admission_.is_free(demand) ? 0 : demand.deadline;
    loop.section_bound = section_bound(loop);
  }
  return true;
}

/// Gives each loop that was admitted in two parts a virtual CPU for the second part.
inline void Sketches::split_loops() {
  for (unsigned i = 0; i < admission_.split_count(); ++i) {
    const SplitPlace<Ticks>& split = admission_.split(i);
    Loop& loop = *loops_[split.index];
    const Overheads<Ticks> known = overheads(cores_);
    second_parts_.split(i, loop.vcpu, loop.thread, split.part[1],
                        System::Duration(known.enforcement() + known.overrun));
  }
}

/// On each core, at boot: creates the second parts that run there.
inline void Sketches::create_second_parts(CoreId core) {
  for (unsigned i = 0; i < admission_.split_count(); ++i) {
    const SplitPlace<Ticks>& split = admission_.split(i);
    if (split.part[1].core != core) continue;
    const Loop& loop = *loops_[split.index];
    const Demand<Ticks> demand = demand_of_part(loop, split.part[1]);
    second_parts_.create(i, demand, split.rank[1], System::Duration(enforced(demand)),
                         System::Duration(demand_of(loop).deadline));
  }
}

/// If several lines share one interrupt of the processor, that interrupt is on core 0. Pins all
/// bottom halves to core 0, then.
void Sketches::bring_together() {
  static constinit LoopDescriptor together[PinLines<BoardPins>::kIo]{};
  if (bottom_halves_ + interrupts::direct_count() < 2) return;
  for (unsigned i = 0; i < loops_used_; ++i) {
    Loop& loop = *loops_[i];
    if (!loop.is(LoopKind::BottomHalf)) continue;
    together[loop.line] = *loop.descriptor;
    together[loop.line].core = 0;
    loop.descriptor = &together[loop.line];
  }
}

[[gnu::cold]] bool Sketches::admit_later(Loop& loop, Refusals<Rate, Ticks>& why_not) {
  unsigned index = 0;
  while (loops_[index] != &loop) ++index;
  if (!admission_.admit_later(*loop.descriptor, index, cores_, overheads(cores_), why_not)) {
    return false;
  }
  const Place<Ticks>& place = admission_.place(index);
  loop.vcpu.core = place.core;
  loop.rank = place.rank;
  loop.response_bound = place.response_bound;
  loop.section_bound = section_bound(loop);
  return true;
}

Overheads<Ticks> Sketches::overheads(unsigned cores) const {
  bool spinlocks = false;
  for (unsigned i = 0; i < used_; ++i) spinlocks |= sketches_[i]->program().uses_spinlocks;
  const Ticks spins = spinlocks ? spin_blocking(cores) : 0;
  bool background = false;
  for (unsigned i = 0; i < loops_used_; ++i) background |= loops_[i]->descriptor->background;
  auto costs = Board::Port::costs();
  costs.longest_masked = larger(costs.longest_masked, ordinary_sections<Board>(cores));
  return {.costs = costs,
          .blocking = spins,
          .overrun = spins,
          .several_cores = cores > 1,
          .by_deadline = kByDeadline<Analysis>,
          .idle_time = background};
}

/// A loop that begins a section gets its whole budget within the time returned here. So a section
/// that computes no longer than C stays within its bound, even if the budget ends in the middle of
/// it. In a plain sketch sections have no bound, as on other Arduinos.
Ticks Sketches::section_bound(const Loop& loop) const {
  const uint64_t declared = loop.sketch->program().longest_section_ns;
  if (declared != 0) return static_cast<Ticks>(Rate::ticks_up(declared));
  if (loop.sketch->is_plain()) return 0;
  const Demand<Ticks> demand = demand_of(loop);
  const Ticks response = loop.promised() ? loop.response_bound : demand.period;
  return demand.period - smaller(demand.period, enforced(demand)) + response;
}

/// A handler that finds the gate closed waits for sections that have begun or are about to begin.
/// If there are other handlers, it also waits for sections that wait for one of those
/// (handler_gate.h).
Ticks Sketches::longest_held(Sketch& sketch) const {
  if (!sketch.program().holds_handlers) return 0;
  Ticks longest = 0;
  for (unsigned i = 0; i < sketch.loop_count(); ++i) {
    const Loop& loop = sketch.loop(i);
    if (!loop.is(LoopKind::BottomHalf)) longest = larger(longest, loop.section_bound);
  }
  return sketch.handlers().several ? 2 * longest : longest;
}

/// The kernel starts each loop in one masked section, and each start may interrupt the loop's core.
/// During the window, every other virtual CPU on core 0 gets its budget once for each period that
/// the window touches. The window is extended by the time that an earlier release may be delayed
/// into it. A virtual CPU for I/O may get its budget once more. If the window does not converge,
/// loops of core 0 have no guarantees either.
[[gnu::cold]] Ticks Sketches::longest_start(const Sketch& sketch, unsigned count) const {
  constexpr int kMostTurns = 100;
  const auto& costs = Board::Port::costs();
  const Ticks work = static_cast<Ticks>(count) * (costs.longest_masked + costs.timer_interrupt);
  const auto times = [](Ticks window, Ticks period) { return (window - 1) / period + 1; };
  Ticks window = work;
  for (int turn = 0; turn < kMostTurns; ++turn) {
    Ticks next = work;
    for (unsigned i = 0; i < loops_used_; ++i) {
      const Loop& other = *loops_[i];
      const bool runs = other.serves_interrupts() || other.sketch != &sketch;
      if (other.vcpu.core != 0 || !runs || other.never_began()) continue;
      const Demand<Ticks> demand = demand_of(other);
      const Ticks delayed = other.promised() ? other.response_bound : demand.period;
      const Ticks once_more = other.is(LoopKind::BottomHalf) ? 1 : 0;
      next += (times(window + delayed, demand.period) + once_more) * enforced(demand);
    }
    for (unsigned i = 0; i < interrupts::direct_count(); ++i) {
      const interrupts::Direct& direct = interrupts::direct(i);
      next += (times(window, direct.distance) + 1) * interrupts::direct_cost(direct.length);
    }
    if (next <= window) break;
    window = next;
  }
  return window;
}

bool Sketches::allocate_stacks() {
  bool all = true;
  for (unsigned i = 0; i < used_; ++i) all = sketches_[i]->allocate_stacks() && all;
  return all;
}

void Sketches::boot(CoreId core) {
  constexpr unsigned kSpinlocks = 1;  // slot 0 is for spinlocks
  const unsigned loops_here = admission_.core(core).loops;
  // Slots of a core: spinlocks, its loops, loops that come later (all may be here), setup()s.
  later_slots_[core] = kSpinlocks + loops_here;
  const unsigned setups = later_slots_[core] + later_;
  System::init_core(core, setups + (core == 0 ? used_ : 0));
  if constexpr (System::kMigrates) create_second_parts(core);
  unsigned first_thread = 0;
  for (unsigned i = 0; i < used_; ++i) {
    sketches_[i]->create_loops(core, first_thread, *this);
    if (core == 0) sketches_[i]->start_setup(setups + i, first_thread);
    first_thread += sketches_[i]->thread_count();
  }
  if (core == 0) interrupts::begin_direct();
  if (core == 0) Board::started();
  System::run_core();
}

/// The time that interrupts are masked, then the work that precedes the handler: other lines, and
/// other direct handlers as often as they can come meanwhile. (`length` covers a whole distance,
/// and so it includes this handler's own delay.)
Ticks Sketches::direct_bound(const LoopDescriptor& declared) const {
  const auto costs = overheads(cores_).costs;
  const Ticks alone = costs.longest_masked + costs.timer_interrupt + BoardPins::kTopHalf +
                      static_cast<Ticks>(bottom_halves_) * BoardPins::kTopHalf +
                      (cores_ > 1 ? costs.timer_interrupt : 0);
  Ticks bound = alone;
  for (int turn = 0; turn < 64; ++turn) {
    Ticks next = alone;
    for (unsigned i = 0; i < interrupts::direct_count(); ++i) {
      const interrupts::Direct& other = interrupts::direct(i);
      if (other.declared == &declared) continue;
      next += (bound / other.distance + 1) * interrupts::direct_cost(other.length);
    }
    if (next == bound) break;
    bound = next;
  }
  for (unsigned i = 0; i < interrupts::direct_count(); ++i) {
    const interrupts::Direct& direct = interrupts::direct(i);
    const Ticks held = direct.declared == &declared ? longest_held(*direct.sketch) : 0;
    // At the end of a section the handler asks again; if not, its alarm does, one distance later.
    if (held > 0) return bound + held + direct.distance + bound;
  }
  return bound;
}

stated::Direct Sketches::state_direct(const interrupts::Direct& direct) const {
  const LoopDescriptor& declared = *direct.declared;
  return {.line = declared.line,
          .lines = bottom_halves_,
          .length = static_cast<uint64_t>(interrupts::direct_cost(direct.length)),
          .distance = static_cast<uint64_t>(direct.distance),
          .top_half = static_cast<uint64_t>(BoardPins::kTopHalf),
          .sections = static_cast<uint64_t>(longest_held(*direct.sketch)),
          .bound = static_cast<uint64_t>(direct_bound(declared))};
}

/// In one turn of the bottom half, each pin with a handler may be served first, after the one in
/// progress.
Sketches::PinWork Sketches::pin_work(const Loop& handler) const {
  unsigned pins = 0;
  for (unsigned i = 0; i < loops_used_; ++i) {
    if (loops_[i]->is(LoopKind::Handler)) ++pins;
  }
  pins = larger(pins, interrupts::most_attached());
  // Edges may have come as often as budgets allow, so the handler's whole budget may go to
  // wake-ups.
  return {.bottom_half = static_cast<Ticks>(pins + 1) * BoardPins::kBottomHalf,
          .wakeups = overheads(cores_).enforced(demand_of(handler)),
          .sections = longest_held(*handler.sketch)};
}

DelayBounds Sketches::delay_bounds(const Loop& handler) const {
  const Demand<Ticks> second = demand_of(handler);
  const Delivery<Ticks> delivery(overheads(cores_));
  DelayBounds most{};
  each_delivery(handler, [&](const Loop& io, const PinWork& work) {
    const Demand<Ticks> first = demand_of(io);
    const Ticks held =
        delivery.held_back(second, handler.response_bound, work.wakeups, work.sections);
    most.sound =
        larger(most.sound, delivery.bound(first, io.response_bound, work.bottom_half, second,
                                          handler.response_bound, work.wakeups, held));
    most.paper = larger(most.paper, paper_delivery(first, second, work.bottom_half));
  });
  return most;
}

bool Sketches::in_setup() const {
  for (unsigned i = 0; i < used_; ++i) {
    if (sketches_[i]->phase() != Phase::Running) return true;
  }
  return false;
}

CountersOfAll Sketches::counters(unsigned cores, System::Instant now) const {
  CountersOfAll all;
  const auto add = [&all](const ThreadCounters& one) {
    all.threads.switches += one.switches;
    all.threads.preemptions += one.preemptions;
    all.threads.sleeps += one.sleeps;
  };
  for (unsigned i = 0; i < cores; ++i) {
    const auto id = static_cast<CoreId>(i);
    all.cores.timer_interrupts += System::counters(id).timer_interrupts;
    all.cores.ipis += System::counters(id).ipis;
    add(System::idle(id).counters);
  }
  for (unsigned i = 0; i < used_; ++i) add(sketches_[i]->setup().thread.counters);
  for (unsigned i = 0; i < loops_used_; ++i) {
    add(loops_[i]->thread.counters);
    all.wakes += wakes_of(*loops_[i], now);
  }
  return all;
}

const Loop* Sketches::holder_of(const uint32_t* lock) const {
  for (unsigned i = 0; i < used_; ++i) {
    if (sketches_[i]->setup().holds(lock)) return &sketches_[i]->setup();
  }
  for (unsigned i = 0; i < loops_used_; ++i) {
    if (loops_[i]->holds(lock)) return loops_[i];
  }
  return nullptr;
}

}  // namespace hocket::runtime
