// Replaces interrupts.cpp on boards whose pins have no interrupts (no_pins.h). A handler that is
// attached all the same is never called, and the report says so.
#include "arduino/runtime/interrupts.h"
#include "arduino/runtime/sketches.h"
#include "kernel/sched/charges.h"

namespace hocket::runtime::interrupts {
namespace {

using Port = Board::Port;

/// Protects the complaints.
Port::Lock lock;

bool refuse(Complaint::Kind kind, unsigned pin, int mode) {
  const Port::IrqState state = Port::irq_save();
  Port::lock(lock);
  complain(kind, pin, mode);
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
  // interruptsVcpu() names no pin. The report tells of the handlers that it is for.
  if (current_sketch().budget_of_bottom_half(wanted.loop) != nullptr) return true;
  return refuse(Complaint::Kind::NoInterrupt, wanted.pin, wanted.mode);
}
bool detach(unsigned pin) {
  return refuse(Complaint::Kind::NothingAttached, pin, 0);
}
void next_call(Loop&, sys::PinCall&) {
  wait_for_ever();
}
/// Handlers never run, so there is nothing to hold back.
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
bool direct_began(System::Instant&) {
  return false;
}
bool direct_handler_runs() {
  return false;
}
Sketch* direct_sketch() {
  return nullptr;
}
unsigned direct_pin() {
  return 0;
}
bool refuses_to_wait() {
  return false;
}
uint64_t least_bottom_half() {
  return Rate::ns_up(static_cast<uint64_t>(2 * smallest_budget(Port::costs())));
}

const Pin* pin(unsigned) {
  return nullptr;
}
Edges untaken(const Pin&) {
  return {};
}
System::Duration longest_delay(const Pin&, System::Instant) {
  return {};
}
uint64_t top_half_count() {
  return 0;
}
LongestSection longest_section(const Loop&, System::Instant) {
  return {};
}
unsigned most_attached() {
  return 0;
}

}  // namespace hocket::runtime::interrupts
