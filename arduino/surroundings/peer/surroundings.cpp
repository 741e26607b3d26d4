// A run under control of the peer: how long it lasts, when to ask the peer again, and the report at
// the end.
#include "surroundings.h"

#include "arduino/runtime/sketches.h"
#include "arduino/surroundings/peer/other_system.h"
#include "arduino/surroundings/peer/report.h"
#include "board_kernel.h"
#include "drivers/semihosting/semihosting.h"
#include "kernel/base/atomic.h"

namespace hocket::surroundings {
namespace {

using Port = Board::Port;
using run::End;

static_assert(static_cast<uint32_t>(End::Time) == static_cast<uint32_t>(world::End::Time));
static_assert(static_cast<uint32_t>(End::Unusable) == static_cast<uint32_t>(world::End::Unusable));

System::Alarm end_alarm;
System::Alarm look_alarm;
Atomic<uint64_t> next_look;  // (ns) of the next planned or requested look; 0: none yet

void on_end(void*) {
  run::finish(End::Time);
}

void on_look(void*) {
  world::ask(world::Operation::Look);
  next_look.store(0, order::release);
  world::after_call();
}

/// On core 0, no lock held.
void plan_look(uint64_t instant) {
  System::cancel_alarm(look_alarm);
  look_alarm.handler = &on_look;
  look_alarm.due = Board::instant(instant);
  look_alarm.times = 1;
  if (!System::start_alarm(look_alarm)) Port::halt("no room for the look at the world");
}

[[noreturn, gnu::cold]] void leave(End why) {
  const int64_t status = world::ask(world::Operation::Goodbye, static_cast<uint64_t>(why));
  drivers::Semihosting::exit(static_cast<uint32_t>(status));
  Port::halt("the emulator does not end");
}

}  // namespace

[[gnu::cold]] const char* open() {
  if (const char* error = world::open(Port::kCores)) return error;
  EventLog::wanted = world::settings().log != 0;
  return nullptr;
}

[[gnu::cold]] void start() {
  if (const char* error = other_system::begin()) unusable(error);
  const uint64_t duration = world::settings().duration;
  if (duration == world::kNever) return;
  end_alarm.handler = &on_end;
  end_alarm.due = Board::instant(duration);
  if (!System::start_alarm(end_alarm)) Port::halt("no room for the end of the run");
}

void look_at(uint64_t instant) {
  // A look that comes earlier plans the next one itself.
  const uint64_t planned = next_look.load(order::acquire);
  if (planned != 0 && planned <= instant) return;
  next_look.store(instant, order::release);
  if (Port::core_id() == 0 && Port::in_irq()) {  // called by a look's own handler
    plan_look(instant);
  } else {
    Port::send_reschedule(0);
  }
}

void on_reschedule() {
  if (Port::core_id() != 0) return;
  const uint64_t wanted = next_look.load(order::acquire);
  if (wanted != 0 && look_alarm.due != Board::instant(wanted)) plan_look(wanted);
}

[[gnu::cold]] void finish(End why, unsigned cores) {
  const System::Instant over = Board::instant(world::settings().duration);
  const System::Instant end = smaller(System::now(), over);
  for (unsigned i = 0; i < cores; ++i) System::close(static_cast<CoreId>(i), end);
  const runtime::Sketches& all = runtime::sketches();
  for (unsigned i = 0; i < all.loop_count(); ++i) all.loop(i).thread.meter.advance(end);
  EventLog::flush();
  report::send(end, cores, /*accepted=*/true);
  leave(why);
}

void unusable(const char* why) {
  report::notice(why);
  leave(End::Unusable);
}

void answer(bool accepted, unsigned cores) {
  report::send(System::Instant(0), cores, accepted);
  leave(accepted ? End::Check : End::Refused);
}

}  // namespace hocket::surroundings
