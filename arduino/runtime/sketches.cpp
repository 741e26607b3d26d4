// Admission and start of all sketches of the machine (see sketches.h).
#include "arduino/runtime/sketches.h"

#include "arduino/runtime/interrupts.h"
#include "kernel/sched/delivery.h"

namespace hocket::runtime {

static_assert(System::Charges::activation().ticks() ==
                  activation_cost(Board::Port::costs(), Board::Port::kCores > 1),
              "admission and enforcement must have one account");

bool Sketches::add(Sketch& sketch) {
  if (used_ == kMost || loops_used_ + sketch.loop_count() > Board::kMaxLoops) return false;
  sketches_[used_++] = &sketch;
  for (unsigned i = 0; i < sketch.loop_count(); ++i) loops_[loops_used_++] = &sketch.loop(i);
  return true;
}

bool Sketches::admit(unsigned cores) {
  cores_ = cores;
  static const LoopDescriptor* declared[Board::kMaxLoops];
  for (unsigned i = 0; i < loops_used_; ++i) declared[i] = loops_[i]->descriptor;
  const bool accepted =
      admission_.admit(declared, loops_used_, cores, overheads(cores), BoardPins::kTopHalf);
  for (unsigned i = 0; i < loops_used_; ++i) {
    const Place<Ticks>& place = admission_.place(i);
    loops_[i]->vcpu.core = place.core;
    loops_[i]->rank = place.rank;
    loops_[i]->response_bound = place.response_bound;
  }
  return accepted;
}

Overheads<Ticks> Sketches::overheads(unsigned cores) const {
  bool spinlocks = false;
  for (unsigned i = 0; i < used_; ++i) spinlocks |= sketches_[i]->program().uses_spinlocks;
  const Ticks spins = spinlocks ? spin_blocking(cores) : 0;
  auto costs = Board::Port::costs();
  if constexpr (requires { Board::ordinary_sections(cores); }) {
    costs.longest_masked = larger(costs.longest_masked, Board::ordinary_sections(cores));
  }
  return {.costs = costs,
          .blocking = spins,
          .overrun = spins,
          .several_cores = Board::Port::kCores > 1};
}

bool Sketches::allocate_stacks() {
  bool all = true;
  for (unsigned i = 0; i < used_; ++i) all = sketches_[i]->allocate_stacks() && all;
  return all;
}

void Sketches::boot(CoreId core) {
  constexpr unsigned kSpinlocks = 1;  // slot 0
  const unsigned loops_here = admission_.core(core).loops;
  System::init_core(core, kSpinlocks + loops_here + (core == 0 ? used_ : 0));
  unsigned first_thread = 0;
  for (unsigned i = 0; i < used_; ++i) {
    sketches_[i]->create_loops(core, first_thread, *this);
    if (core == 0) sketches_[i]->start_setup(kSpinlocks + loops_here + i, first_thread);
    first_thread += sketches_[i]->thread_count();
  }
  if (core == 0) Board::started();
  System::run_core();
}

/// In one turn of the bottom half each pin with a handler may come before, and what it is at.
DelayBounds Sketches::delay_bounds(const Loop& handler) const {
  unsigned pins = 0;
  const Loop* io = nullptr;
  for (unsigned i = 0; i < loops_used_; ++i) {
    if (loops_[i]->is(LoopKind::Handler)) ++pins;
    if (loops_[i]->is(LoopKind::BottomHalf)) io = loops_[i];
  }
  if (io == nullptr) return {};  // (a handler's loop brings it along: loop_table.h)
  pins = larger(pins, interrupts::most_attached());
  const Ticks work = static_cast<Ticks>(pins + 1) * BoardPins::kBottomHalf;
  const Demand<Ticks> first = demand_of(*io);
  const Demand<Ticks> second = demand_of(handler);
  const Delivery<Ticks> delivery(overheads(cores_));
  // Edges may have come as often as budgets let them: all of the handler's went in wake-ups.
  const Ticks wakeups = overheads(cores_).enforced(second);
  return {delivery.bound(first, io->response_bound, work, second, handler.response_bound, wakeups),
          paper_delivery(first, second, work)};
}

unsigned Sketches::own_loop_count() const {
  unsigned count = 0;
  for (unsigned i = 0; i < loops_used_; ++i) count += loops_[i]->is(LoopKind::BottomHalf) ? 0 : 1;
  return count;
}

bool Sketches::in_setup() const {
  for (unsigned i = 0; i < used_; ++i) {
    if (sketches_[i]->phase() != Phase::Running) return true;
  }
  return false;
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
