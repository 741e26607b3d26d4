// Admission of the sketch that is loaded (admission.h), on this board.
#include "arduino/runtime/program.h"
#include "arduino/runtime/runtime.h"
#include "kernel/sched/admission.h"

namespace hocket::runtime {
namespace {

using Analysis = AnalysisOf<System::Policy, Board::kMaxLoops>::Type;
static_assert(System::Charges::activation().ticks() ==
                  activation_cost(Board::Port::costs(), Board::Port::kCores > 1),
              "admission and enforcement must have one account");
constinit Admission<Rate, Analysis, Board::Port::kCores, Board::kMaxLoops> admission;

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
  static const LoopDescriptor* declared[Board::kMaxLoops];
  const unsigned count = loop_count();
  for (unsigned i = 0; i < count; ++i) declared[i] = loop(i).descriptor;
  const bool accepted = admission.admit(declared, count, cores, overheads(cores));
  for (unsigned i = 0; i < count; ++i) {
    const Place<Ticks>& place = admission.place(i);
    loop(i).vcpu.core = place.core;
    loop(i).rank = place.rank;
    loop(i).response_bound = place.response_bound;
  }
  return accepted;
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
