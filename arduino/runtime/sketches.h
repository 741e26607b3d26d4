// All sketches of the machine: admitted as one, so that none takes from another what was promised
// to it, and started on every core.
#pragma once

#include "admission/policy_analysis.h"
#include "arduino/runtime/admission.h"
#include "arduino/runtime/interrupts.h"
#include "arduino/runtime/second_parts.h"
#include "arduino/runtime/sketch.h"

namespace hocket::runtime {

/// How long an edge takes to its handler at most, when nothing that came before it waits: what is
/// guaranteed, and what the paper has (admission/delivery.h).
struct DelayBounds {
  Ticks sound;
  Ticks paper;
};

/// What all cores and threads together have counted.
struct CountersOfAll {
  Counters cores;
  ThreadCounters threads;
  uint64_t wakes = 0;  // of loops
};

class Sketches {
 public:
  /// Of sketches that were loaded, at boot. False: they have more loops than the machine can.
  bool add(Sketch& sketch);

  /// Places all loops on `cores` cores. False when some loop cannot be guaranteed: reason() says
  /// why.
  bool admit(unsigned cores);

  /// A loop whose contract came later, beside all that are admitted. False: `why_not` says why.
  bool admit_later(Loop& loop, Refusals<Rate, Ticks>& why_not);
  /// Its place on its core, once admitted.
  unsigned later_slot(const Loop& loop) const {
    return later_slots_[loop.vcpu.core] + loop.later_number;
  }

  /// What admission reckons with when so many cores run, and enforcement with it.
  Overheads<Ticks> overheads(unsigned cores) const;
  /// What a loop asked for, and C' of that.
  Demand<Ticks> demand_of(const Loop& loop) const { return admission_.demand_of(*loop.descriptor); }
  /// The same for one that its budget may be changed to.
  Demand<Ticks> demand_of(const LoopDescriptor& declared) const {
    return admission_.demand_of(declared);
  }
  /// The same of one part of it.
  Demand<Ticks> demand_of_part(const Loop& loop, const Part<Ticks>& part) const {
    Demand<Ticks> demand = demand_of(loop);
    demand.budget = part.budget;
    demand.deadline = part.deadline;
    return demand;
  }
  /// What the core asks for on which it begins.
  Demand<Ticks> first_demand_of(const Loop& loop) const {
    if (const SplitPlace<Ticks>* const split = split_of(loop)) {
      return demand_of_part(loop, split->part[0]);
    }
    return demand_of(loop);
  }
  Ticks enforced(const Demand<Ticks>& demand) const { return overheads(cores_).enforced(demand); }
  /// How long setup() of a sketch needs to start so many loops. Setup() comes after everything that
  /// runs on core 0 meanwhile: handlers, their I/O virtual CPUs, and loops of other sketches.
  Ticks longest_start(const Sketch& sketch, unsigned count) const;
  /// The longest time for which sections keep handlers of a sketch back; 0: nothing bounds it, or
  /// it has none.
  Ticks longest_held(Sketch& sketch) const;
  /// Of a handler's loop, once admitted.
  DelayBounds delay_bounds(const Loop& handler) const;
  /// Of a handler in the top half: from the edge to its first instruction.
  Ticks direct_bound(const LoopDescriptor& declared) const;
  CoreReport core_report(unsigned core) const { return admission_.core(core); }
  /// The parts of a loop that has two, on two cores; null: it has one.
  const SplitPlace<Ticks>* split_of(const Loop& loop) const {
    for (unsigned i = 0; i < admission_.split_count(); ++i) {
      if (loops_[admission_.split(i).index] == &loop) return &admission_.split(i);
    }
    return nullptr;
  }
  /// Of loops that were not all admitted: the core on which this one would have had room; kAnyCore:
  /// none.
  CoreId room_of(unsigned index) const { return admission_.room_of(index); }
  /// What was reckoned with, for a report (admission/stated.h).
  template <class OnRank>
  void state_ranks(OnRank rank) const {
    admission_.state_ranks(cores_, rank);
  }
  template <class OnInterrupts>
  void state_interrupts(OnInterrupts interrupts) const {
    admission_.state_interrupts(interrupts);
  }
  /// Of a handler's loop, through each I/O virtual CPU that may serve it.
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

  /// Gets memory for all stacks. False when there is not enough.
  bool allocate_stacks();

  /// Entry of a core. Never returns.
  [[noreturn]] void boot(CoreId core);

  CountersOfAll counters(unsigned cores, System::Instant now) const;

  /// The loops of all sketches.
  unsigned loop_count() const { return loops_used_; }
  Loop& loop(unsigned index) const { return *loops_[index]; }
  /// Those that run the code of sketches: all but bottom halves.
  unsigned own_loop_count() const { return loops_used_ - bottom_halves_; }
  /// The setup() of some sketch has not ended.
  bool in_setup() const;
  /// Who holds a spinlock, setup() too; null: nobody.
  const Loop* holder_of(const uint32_t* lock) const;

  using Analysis = AnalysisOf<System::Policy, Board::kMaxLoops>::Type;

 private:
  Ticks section_bound(const Loop& loop) const;
  /// What a delay from an edge to a handler depends on besides contracts.
  struct PinWork {
    Ticks bottom_half;
    Ticks wakeups;
    Ticks sections;  // for which the sketch may hold it back
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
  static constexpr unsigned kMost = SystemConfig::kMaxSlots - Board::kMaxLoops - 1;  // setup()s

  Sketch* sketches_[kMost] = {};
  unsigned used_ = 0;
  unsigned bottom_halves_ = 0;
  unsigned later_ = 0;                              // loops whose contracts come later
  unsigned later_slots_[Board::Port::kCores] = {};  // their first slot on each core
  Loop* loops_[Board::kMaxLoops] = {};
  unsigned loops_used_ = 0;
  unsigned cores_ = 0;
  Admission<Rate, Analysis, Board::Port::kCores, Board::kMaxLoops, System::kMigrates> admission_;
  [[no_unique_address]] SecondParts<System> second_parts_;
};

/// Those of this machine: made by the board's program.
Sketches& sketches();

/// What a report says of a spinlock that somebody keeps, whom another waits for in vain.
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
