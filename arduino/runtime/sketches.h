// All sketches of the machine. They are admitted together, so that no sketch takes from another
// what that was promised, and are started on every core.
#pragma once

#include "admission/policy_analysis.h"
#include "arduino/runtime/admission.h"
#include "arduino/runtime/interrupts.h"
#include "arduino/runtime/second_parts.h"
#include "arduino/runtime/sketch.h"

namespace hocket::runtime {

/// The longest time (ticks) from an edge to its handler if no earlier edge waits: the guaranteed
/// bound, and the bound of the paper (admission/delivery.h).
struct DelayBounds {
  Ticks sound;
  Ticks paper;
};

/// The sum over all cores and threads.
struct CountersOfAll {
  Counters cores;
  ThreadCounters threads;
  uint64_t wakes = 0;  // wake-ups of loops
};

class Sketches {
 public:
  /// At boot. Adds a sketch that was loaded. Returns false if the machine has too little room for
  /// its loops.
  bool add(Sketch& sketch);

  /// Places all loops on `cores` cores. Returns false when some loop cannot be guaranteed; reason()
  /// says why.
  bool admit(unsigned cores);

  /// After a refusal: places all loops all the same, without a guarantee to any of them. Deadlines
  /// are still counted. Returns false when some loop cannot run at all.
  bool place_anyway(unsigned cores);

  /// Admits a loop whose contract came later beside all that are admitted. On false, `why_not` says
  /// why.
  bool admit_later(Loop& loop, Refusals<Rate, Ticks>& why_not);
  /// The slot of a loop with a later contract on its core. Only after admit_later().
  unsigned later_slot(const Loop& loop) const {
    return later_slots_[loop.vcpu.core] + loop.later_number;
  }

  /// The overheads that both admission and enforcement assume when `cores` cores run.
  Overheads<Ticks> overheads(unsigned cores) const;
  /// A loop's demand as admission uses it; bottom halves inherit their period.
  Demand<Ticks> demand_of(const Loop& loop) const { return admission_.demand_of(*loop.descriptor); }
  /// The same for a budget that an I/O virtual CPU may be changed to.
  Demand<Ticks> demand_of(const LoopDescriptor& declared) const {
    return admission_.demand_of(declared);
  }
  /// The demand of one part of a split loop.
  Demand<Ticks> demand_of_part(const Loop& loop, const Part<Ticks>& part) const {
    Demand<Ticks> demand = demand_of(loop);
    demand.budget = part.budget;
    demand.deadline = part.deadline;
    return demand;
  }
  /// The demand on the core on which the loop begins: its first part's if the loop is split.
  Demand<Ticks> first_demand_of(const Loop& loop) const {
    if (const SplitPlace<Ticks>* const split = split_of(loop)) {
      return demand_of_part(loop, split->part[0]);
    }
    return demand_of(loop);
  }
  Ticks enforced(const Demand<Ticks>& demand) const { return overheads(cores_).enforced(demand); }
  /// The longest time that setup() of a sketch needs to start `count` loops. setup() runs after all
  /// else on core 0: handlers, their I/O virtual CPUs, and loops of other sketches.
  Ticks longest_start(const Sketch& sketch, unsigned count) const;
  /// The longest time (ticks) for which sections hold handlers of a sketch back. 0: sections have
  /// no bound, or the sketch has none.
  Ticks longest_held(Sketch& sketch) const;
  /// The delay bounds of a handler's loop. Only after admission.
  DelayBounds delay_bounds(const Loop& handler) const;
  /// The delay bound of a direct handler (ticks), from the edge to its first instruction.
  Ticks direct_bound(const LoopDescriptor& declared) const;
  CoreReport core_report(unsigned core) const { return admission_.core(core); }
  /// The parts of a loop that is split over two cores; null: it is not split.
  const SplitPlace<Ticks>* split_of(const Loop& loop) const {
    for (unsigned i = 0; i < admission_.split_count(); ++i) {
      if (loops_[admission_.split(i).index] == &loop) return &admission_.split(i);
    }
    return nullptr;
  }
  /// After a refusal: the core on which this loop would have had room; kAnyCore: none.
  CoreId room_of(unsigned index) const { return admission_.room_of(index); }
  /// States the inputs of the analysis for a report (admission/stated.h).
  template <class OnRank>
  void state_ranks(OnRank rank) const {
    admission_.state_ranks(cores_, rank);
  }
  template <class OnInterrupts>
  void state_interrupts(OnInterrupts interrupts) const {
    admission_.state_interrupts(interrupts);
  }
  /// States the delivery to a handler's loop, through each I/O virtual CPU that may serve it.
  template <class OnDelivery>
  void state_deliveries(const Loop& handler, OnDelivery delivery) const {
    each_delivery(handler, [&](const Loop& io, const PinWork& work) {
      delivery(stated::Delivery{
          handler.descriptor->id, io.descriptor->id, static_cast<uint64_t>(work.bottom_half),
          static_cast<uint64_t>(work.wakeups), static_cast<uint64_t>(work.sections)});
    });
  }
  stated::Direct state_direct(const interrupts::Direct& direct) const;

  unsigned reason_count() const { return admission_.reason_count(); }
  const char* reason(unsigned index) const { return admission_.reason(index); }

  /// Allocates all stacks. Returns false when memory is exhausted.
  bool allocate_stacks();

  /// Entry of a core. Never returns.
  [[noreturn]] void boot(CoreId core);

  CountersOfAll counters(unsigned cores, System::Instant now) const;

  /// The loops of all sketches.
  unsigned loop_count() const { return loops_used_; }
  Loop& loop(unsigned index) const { return *loops_[index]; }
  /// Loops that run code of sketches: all but bottom halves.
  unsigned own_loop_count() const { return loops_used_ - bottom_halves_; }
  /// Whether the setup() of some sketch has not ended.
  bool in_setup() const;
  /// The loop or setup() that holds a spinlock; null: none does.
  const Loop* holder_of(const uint32_t* lock) const;

  using Analysis = AnalysisOf<System::Policy, Board::kMaxLoops>::Type;

 private:
  void take_place(unsigned index);
  Ticks section_bound(const Loop& loop) const;
  /// What a delay from an edge to its handler depends on, besides the contracts.
  struct PinWork {
    Ticks bottom_half;
    Ticks wakeups;
    Ticks sections;  // how long sections may hold the handler back
  };
  PinWork pin_work(const Loop& handler) const;
  template <class Visit>
  void each_delivery(const Loop& handler, Visit visit) const {
    const PinWork work = pin_work(handler);
    for (unsigned i = 0; i < loops_used_; ++i) {
      const Loop& io = *loops_[i];
      if (!io.is(LoopKind::BottomHalf) || io.sketch != handler.sketch) continue;
      if (admission_.may_be_for(*io.descriptor, *handler.descriptor)) visit(io, work);
    }
  }
  void split_loops();
  void create_second_parts(CoreId core);
  void bring_together();
  static constexpr unsigned kMost =
      SystemConfig::kMaxSlots - Board::kMaxLoops - 1;  // one slot for each setup()

  Sketch* sketches_[kMost] = {};
  unsigned used_ = 0;
  unsigned bottom_halves_ = 0;
  unsigned later_ = 0;                              // loops whose contract comes later
  unsigned later_slots_[Board::Port::kCores] = {};  // the first slot of those on each core
  Loop* loops_[Board::kMaxLoops] = {};
  unsigned loops_used_ = 0;
  unsigned cores_ = 0;
  Admission<Rate, Analysis, Board::Port::kCores, Board::kMaxLoops, System::kMigrates> admission_;
  [[no_unique_address]] SecondParts<System> second_parts_;
};

/// The sketches of this machine. The board's program defines it.
Sketches& sketches();

/// The report's sentence on a spinlock that `holder` never releases while `waiter` waits for it.
template <class Text>
void put_kept_lock(Text& text, const Loop& waiter, const Loop& holder) {
  text.put(LoopName(waiter.id()).c_str(), " waits for a spinlock that ");
  if (holder.is_setup()) {
    text.put("setup() took and never gave back: unlock it before setup() ends");
  } else {
    text.put(LoopName(holder.id()).c_str(), " keeps: unlock it after a few microseconds");
  }
}

}  // namespace hocket::runtime
