// Where pins have no interrupts (no_pins.h): a handler that a sketch attaches all the same is never
// called, and the report says so. In place of interrupts.cpp.
#include "arduino/runtime/interrupts.h"
#include "kernel/sched/account.h"

namespace hocket::runtime::interrupts {
namespace {

using Port = Board::Port;

Complaint complaints[kMostComplaints];
unsigned complaints_used;
Port::Lock lock;

bool complain(Complaint::Kind kind, unsigned pin, int mode) {
  const Loop* const self = current_loop();
  const unsigned loop = self == nullptr ? Complaint::kSetup : self->descriptor->id;
  const Port::IrqState state = Port::irq_save();
  Port::lock(lock);
  unsigned i = 0;
  while (i < complaints_used && (complaints[i].kind != kind || complaints[i].pin != pin ||
                                 complaints[i].mode != mode || complaints[i].loop != loop)) {
    ++i;
  }
  if (i == complaints_used && i < kMostComplaints) {
    complaints[complaints_used++] = {kind, pin, mode, loop, 0};
  }
  if (i < kMostComplaints) ++complaints[i].times;
  Port::unlock(lock);
  Port::irq_restore(state);
  return false;
}

[[noreturn]] void wait_for_ever() {
  for (;;) System::suspend_self();
}

}  // namespace

void top_half(void*) {}

bool attach(const sys::PinInterrupt& wanted) {
  return complain(Complaint::Kind::NoInterrupt, wanted.pin, wanted.mode);
}
bool detach(unsigned pin) {
  return complain(Complaint::Kind::NothingAttached, pin, 0);
}
void next_call(Loop&, sys::PinCall&) {
  wait_for_ever();
}
/// No handler ever runs: the promise holds as it is.
void hold(bool) {}
void setup_ends(Sketch&) {}
void loop_stops(Loop&) {}
void run_bottom_half(Loop&) {
  wait_for_ever();
}
bool add_direct(Sketch&, const LoopDescriptor&) {
  return true;
}
unsigned direct_count() {
  return 0;
}
const Direct& direct(unsigned) {
  Port::halt("there are no direct handlers");
}
void begin_direct() {}
bool refuses_to_wait() {
  return false;
}
uint64_t least_bottom_half() {
  return Rate::ns_up(static_cast<uint64_t>(2 * smallest_budget(Port::costs())));
}

const Pin* pin(unsigned) {
  return nullptr;
}
uint64_t top_half_count() {
  return 0;
}
unsigned most_attached() {
  return 0;
}
unsigned complaint_count() {
  return complaints_used;
}
const Complaint& complaint(unsigned index) {
  return complaints[index];
}

}  // namespace hocket::runtime::interrupts
