// An interactive run: see watched.h.
#include "simulation/machine/watched.h"

#include "simulation/machine/console.h"
#include "simulation/machine/event_log.h"
#include "simulation/machine/program.h"

namespace hocket::sim {

Watched::Watched(const live::LiveOptions& options, const program::RunFacts& facts,
                 program::Console& console)
    : options_(options), console_(console), recorder_(facts.cores, facts.loops) {
  listen_to_events(&recorder_);
}

void Watched::connect(host::Machine& machine, Devices& devices, const program::RunFacts& facts,
                      Nanos duration) {
  machine_ = &machine;
  session_.emplace(options_, devices, recorder_);
  end_ = session_->end();
  session_->begin(facts, duration,
                  {.look_soon = [this] { machine_->look_soon(); },
                   .stopping = [this] { return machine_->stopping(); },
                   .counts =
                       [](Nanos now) {
                         const host::BlocksAreFree free;
                         return loop_counts(now);
                       }});
  machine.set_outside(*this);
}

host::Outside::Again Watched::look(Nanos soonest, Nanos next) {
  console_.flush();  // shows the answer to input even if its line is incomplete
  const live::Session::Again again = session_->look(soonest, next);
  if (session_->end() < end_) {
    end_ = session_->end();
    end_console_at(end_);
    machine_->end_at(end_);
  }
  return {again.within, again.between};
}

void Watched::finish(Nanos now) {
  listen_to_events(nullptr);
  session_->finish(now);
}

void Watched::serial_out(Nanos when, unsigned port, uint8_t byte) {
  recorder_.serial_out(when, port, byte);
  console_.serial_out(when, port, byte);
}

}  // namespace hocket::sim
