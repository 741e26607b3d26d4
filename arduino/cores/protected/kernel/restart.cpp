// Restarts the sketch (see restart.h).
#include "arduino/cores/protected/kernel/restart.h"

#include "arduino/cores/protected/kernel/stopping.h"
#include "board_kernel.h"

namespace hocket::restart {
namespace {

using Port = Board::Port;

// These survive the restart, because other cores use them while core 0 rebuilds the rest of memory.
[[gnu::section(".kept_zero")]] bool happened;
[[gnu::section(".kept_zero")]] uint32_t parked;                 // number of parked cores
[[gnu::section(".kept_zero")]] uint32_t release[Port::kCores];  // 1: this core may leave
[[gnu::section(".kept_zero")]] bool was_parked[Port::kCores];

[[noreturn]] void restart_first_core() {
  const unsigned cores = Port::core_count();
  while (atomic_load(parked, order::acquire) + 1 < cores) Port::relax();
  for (unsigned core = 1; core < cores; ++core) was_parked[core] = true;
  atomic_store(parked, 0u, order::relaxed);
  happened = true;
  EventLog::flush();
  Port::alarm_off();
  Processor::restart_first_core();
}

}  // namespace

void begin(Atomic<uint32_t>& count) {
  Port::irq_save();
  if (stopping::ask(stopping::Why::Restart)) {
    count.fetch_add(1, order::acquire_release);
    for (unsigned core = 0; core < Port::core_count(); ++core) {
      if (core != Port::core_id()) Port::send_reschedule(static_cast<CoreId>(core));
    }
  }
  stopping::take_part();
  __builtin_unreachable();
}

void leave() {
  if (Port::core_id() == 0) restart_first_core();
  Port::alarm_off();
  Processor::park(Port::core_id(), &parked, &release[Port::core_id()]);
}

bool is_one() {
  return happened;
}

void sleep_for_good() {
  Port::alarm_off();
  Processor::sleep_for_good();
}

bool let_go(CoreId core) {
  if (!was_parked[core]) return false;
  was_parked[core] = false;
  atomic_store(release[core], 1u, order::release);
  Processor::wake_parked();
  return true;
}

}  // namespace hocket::restart
