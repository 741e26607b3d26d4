// A run from its settings to its end (see run.h).
#include "boards/aarch64/kernel/run.h"

#include "arduino/runtime/runtime.h"
#include "boards/aarch64/kernel/faults.h"
#include "boards/aarch64/kernel/report.h"
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
Atomic<uint64_t> look_wanted{world::kNever};
Atomic<uint32_t> finishing;
Atomic<uint32_t> parked;

[[noreturn]] void park() {
  Port::irq_save();
  parked.fetch_add(1, order::release);
  for (;;) asm volatile("wfe");
}

/// Other cores stop where they can be interrupted; this one waits for them.
void stop_others() {
  Port::irq_save();
  if (finishing.exchange(1, order::acquire_release) != 0) park();
  for (unsigned core = 0; core < cores; ++core) {
    if (core != Port::core_id()) Port::core_kick(static_cast<CoreId>(core));
  }
  while (parked.load(order::acquire) + 1 < cores) Port::relax();
}

void on_end(void*) {
  finish(End::Time);
}
void on_look(void*) {
  world::ask(world::Operation::Look);
  world::after_call();
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
  if (look_wanted.exchange(instant, order::acquire_release) != instant) Port::core_kick(0);
}

void on_kick() {
  if (finishing.load(order::acquire) != 0) park();
  if (Port::core_id() != 0) return;
  const uint64_t wanted = look_wanted.exchange(world::kNever, order::acquire_release);
  if (wanted == world::kNever) return;
  System::cancel_alarm(look_alarm);
  look_alarm.handler = &on_look;
  look_alarm.due = Board::instant(wanted);
  look_alarm.times = 1;
  System::start_alarm(look_alarm);
}

void finish(End why) {
  stop_others();
  if (!world::present()) Port::halt("every loop of the sketch has stopped");
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
