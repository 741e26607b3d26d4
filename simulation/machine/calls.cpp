// What occupies the core while calls are late: see calls.h. Compiled without the block clock.
#include "simulation/machine/calls.h"

#include "simulation/machine/event_log.h"

namespace hocket::sim {

Calls::Calls(const host::Machine& machine, const std::vector<program::CallWatch::Member>& loops,
             Nanos (*release)(uint16_t thread))
    : watch_(
          loops, machine.core_count(),
          {.release =
               [release](uint16_t thread) {
                 const host::BlocksAreFree free;
                 return release(thread);
               },
           .interrupts = [&machine](unsigned core) { return machine.time_in_interrupts(core); }}) {
  watch_events(&watch_);
}

Calls::~Calls() {
  watch_events(nullptr);
}

void Calls::finish(Nanos now, std::vector<program::LoopFacts>& loops) {
  watch_events(nullptr);
  const host::BlocksAreFree free;
  watch_.finish(now);
  for (program::LoopFacts& loop : loops) watch_.tell(loop);
}

}  // namespace hocket::sim
