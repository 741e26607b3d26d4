// Admission of the sketch that is loaded (admission.h), on this board.
#include "arduino/runtime/interrupts.h"
#include "arduino/runtime/program.h"
#include "kernel/sched/admission.h"
#include "kernel/sched/delivery.h"

namespace hocket::runtime {
namespace {

using Analysis = AnalysisOf<System::Policy, Board::kMaxLoops>::Type;
static_assert(System::Charges::activation().ticks() ==
                  activation_cost(Board::Port::costs(), Board::Port::kCores > 1),
              "admission and enforcement must have one account");
constinit Admission<Rate, Analysis, Board::Port::kCores, Board::kMaxLoops> admission;
unsigned admitted_cores;

}  // namespace

Overheads<Ticks> overheads(unsigned cores) {
  return {.costs = Board::Port::costs(),
          .blocking = spin_blocking(cores),
          .overrun = spin_blocking(cores),
          .several_cores = Board::Port::kCores > 1};
}

/// Each core may be kept by its own holder and, before that, by the holders on all others in turn.
Ticks spin_blocking(unsigned cores) {
  return program::uses_spinlocks() ? Board::kLongestSpin * static_cast<Ticks>(cores) : 0;
}

bool admit(unsigned cores) {
  admitted_cores = cores;
  static const LoopDescriptor* declared[Board::kMaxLoops];
  const unsigned count = loop_count();
  for (unsigned i = 0; i < count; ++i) declared[i] = loop(i).descriptor;
  const bool accepted = admission.admit(declared, count, cores, overheads(cores), Board::Pins::kTopHalf);
  for (unsigned i = 0; i < count; ++i) {
    const Place<Ticks>& place = admission.place(i);
    loop(i).vcpu.core = place.core;
    loop(i).rank = place.rank;
    loop(i).response_bound = place.response_bound;
  }
  return accepted;
}

Demand<Ticks> demand_of(const Loop& loop) {
  return admission.demand_of(*loop.descriptor);
}

/// In one turn of the bottom half each pin with a handler may come before, and what it is at.
DelayBounds delay_bounds(const Loop& handler) {
  unsigned pins = 0;
  const Loop* bottom_half = nullptr;
  for (unsigned i = 0; i < loop_count(); ++i) {
    const LoopKind kind = loop(i).descriptor->kind;
    if (kind == LoopKind::Handler) ++pins;
    if (kind == LoopKind::BottomHalf) bottom_half = &loop(i);
  }
  pins = larger(pins, interrupts::most_attached());
  const Ticks work = static_cast<Ticks>(pins + 1) * Board::Pins::kBottomHalf;
  const Demand<Ticks> io = demand_of(*bottom_half);
  const Demand<Ticks> of = demand_of(handler);
  const Delivery<Ticks> delivery(overheads(admitted_cores));
  return {delivery.bound(io, bottom_half->response_bound, work, of, handler.response_bound),
          paper_delivery(io, of, work)};
}

CoreReport core_report(unsigned core) {
  return admission.core(core);
}
unsigned reason_count() {
  return admission.reason_count();
}
const char* reason(unsigned index) {
  return admission.reason(index);
}

}  // namespace hocket::runtime
