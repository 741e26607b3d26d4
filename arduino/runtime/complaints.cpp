// Records calls about interrupts that could not be carried out, for the report (complaints.h).
#include "arduino/runtime/interrupts.h"

namespace hocket::runtime::interrupts {
namespace {

Complaint complaints[kMostComplaints];
unsigned complaints_used;

unsigned asker() {
  if (direct_handler_runs()) return Complaint::kDirect;
  const Loop* const self = current_loop();
  return self == nullptr ? Complaint::kSetup : self->descriptor->id;
}

}  // namespace

bool complain(Complaint::Kind kind, unsigned pin, int mode) {
  const unsigned loop = asker();
  for (unsigned i = 0; i < complaints_used; ++i) {
    Complaint& known = complaints[i];
    if (known.kind == kind && known.pin == pin && known.mode == mode && known.loop == loop) {
      ++known.times;
      return false;
    }
  }
  if (complaints_used < kMostComplaints) complaints[complaints_used++] = {kind, pin, mode, loop, 1};
  return false;
}

unsigned complaint_count() {
  return complaints_used;
}
const Complaint& complaint(unsigned index) {
  return complaints[index];
}

}  // namespace hocket::runtime::interrupts
