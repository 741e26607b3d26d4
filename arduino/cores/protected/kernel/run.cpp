// The end of a run, on all cores (see run.h).
#include "arduino/cores/protected/kernel/run.h"

#include "arduino/cores/protected/kernel/restart.h"
#include "arduino/cores/protected/kernel/stopping.h"
#include "board_kernel.h"
#include "kernel/base/atomic.h"
#include "surroundings.h"

namespace hocket::run {
namespace {

using Port = Board::Port;

unsigned cores = 1;
Atomic<uint32_t> parked;

[[noreturn]] void park() {
  Port::irq_save();
  parked.fetch_add(1, order::release);
  Processor::stop_core();
}

/// Other cores stop where they can be interrupted; the calling core waits for them.
void stop_others() {
  Port::irq_save();
  if (!stopping::ask(stopping::Why::End)) stopping::take_part();
  for (unsigned core = 0; core < cores; ++core) {
    if (core != Port::core_id()) Port::send_reschedule(static_cast<CoreId>(core));
  }
  while (parked.load(order::acquire) + 1 < cores) Port::relax();
}

}  // namespace

void set_cores(unsigned count) {
  cores = count;
}

void finish(End why) {
  stop_others();
  surroundings::finish(why, cores);
}

void answer(bool accepted) {
  surroundings::answer(accepted, cores);
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
