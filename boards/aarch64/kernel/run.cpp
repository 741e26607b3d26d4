// A run from its settings to its end (see run.h).
#include "boards/aarch64/kernel/run.h"

#include "arduino/runtime/runtime.h"
#include "boards/aarch64/kernel/faults.h"
#include "boards/aarch64/kernel/native.h"
#include "boards/aarch64/kernel/report.h"
#include "boards/aarch64/kernel/restart.h"
#include "boards/aarch64/kernel/stopping.h"
#include "boards/aarch64/kernel/world.h"
#include "drivers/semihosting/semihosting.h"
#include "kernel/base/atomic.h"

namespace hocket::run {
namespace {

using world::End;
using Port = Board::Port;

unsigned cores = 1;
System::Alarm end_alarm;
System::Alarm look_alarm;
Atomic<uint64_t> next_look;  // (ns) that is planned, or wanted by some core; 0: none yet
Atomic<uint32_t> parked;

[[noreturn]] void park() {
  Port::irq_save();
  parked.fetch_add(1, order::release);
  for (;;) asm volatile("wfe");
}

/// Other cores stop where they can be interrupted; this one waits for them.
void stop_others() {
  Port::irq_save();
  if (!stopping::ask(stopping::Why::End)) stopping::take_part();
  for (unsigned core = 0; core < cores; ++core) {
    if (core != Port::core_id()) Port::core_kick(static_cast<CoreId>(core));
  }
  while (parked.load(order::acquire) + 1 < cores) Port::relax();
}

void on_end(void*) {
  finish(End::Time);
}
void plan_look(uint64_t instant);

void on_look(void*) {
  world::ask(world::Operation::Look);
  next_look.store(0, order::release);
  world::after_call();
}

/// Core 0, no lock held.
void plan_look(uint64_t instant) {
  System::cancel_alarm(look_alarm);
  look_alarm.handler = &on_look;
  look_alarm.due = Board::instant(instant);
  look_alarm.times = 1;
  System::start_alarm(look_alarm);
}

[[noreturn]] void leave(End why) {
  const int64_t status = world::ask(world::Operation::Goodbye, static_cast<uint64_t>(why));
  drivers::Semihosting::exit(static_cast<uint32_t>(status));
  Port::halt("the emulator does not end");
}

}  // namespace

void set_cores(unsigned count) {
  cores = count;
}

void start() {
  const uint64_t duration = world::settings().duration;
  if (duration == world::kNever) return;
  end_alarm.handler = &on_end;
  end_alarm.due = Board::instant(duration);
  System::start_alarm(end_alarm);
}

void look_at(uint64_t instant) {
  // A look that comes earlier asks again when it is time.
  const uint64_t planned = next_look.load(order::acquire);
  if (planned != 0 && planned <= instant) return;
  next_look.store(instant, order::release);
  if (Port::core_id() == 0 && Port::in_irq()) {  // a look's own handler
    plan_look(instant);
  } else {
    Port::core_kick(0);
  }
}

void on_kick() {
  if (Port::core_id() != 0) return;
  const uint64_t wanted = next_look.load(order::acquire);
  if (wanted != 0 && look_alarm.due != Board::instant(wanted)) plan_look(wanted);
}

void finish(End why) {
  stop_others();
  if (!world::present()) {
    native::flush();
    Port::halt("every loop of the sketch has stopped");
  }
  const System::Instant over = Board::instant(world::settings().duration);
  const System::Instant end = smaller(System::now(), over);
  for (unsigned i = 0; i < cores; ++i) System::close(static_cast<CoreId>(i), end);
  for (unsigned i = 0; i < runtime::loop_count(); ++i) runtime::loop(i).thread.meter.advance(end);
  EventLog::flush();
  report::send(end, cores, /*accepted=*/true);
  leave(why);
}

void unusable(const char* why) {
  if (!world::present()) Port::halt(why);
  report::notice(why);
  leave(End::Unusable);
}

void answer(bool accepted) {
  report::send(System::Instant(0), cores, accepted);
  leave(accepted ? End::Check : End::Refused);
}

}  // namespace hocket::run

void hocket::stopping::take_part() {
  switch (why()) {
    case Why::Nothing:
      return;
    case Why::End:
      run::park();
    case Why::Restart:
      restart::leave();
  }
}
