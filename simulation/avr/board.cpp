#include "simulation/avr/board.h"

#include "simulation/avr/faults.h"
#include "simulation/avr/tell.h"

namespace hocket::avr {
namespace {

std::unique_ptr<sim::Devices> make_devices(const program::Options& options, BoardConsole& console) {
  return sim::Devices::create(program::device_options(options), console);
}

std::vector<program::CallWatch::Member> watched_loops(const uno::Declared& declared) {
  std::vector<program::CallWatch::Member> all;
  all.reserve(declared.loops.size());
  for (const uno::Loop& loop : declared.loops) {
    all.push_back({.thread = static_cast<uint16_t>(all.size() + 1),
                   .loop = loop.id,
                   .core = 0,
                   .periodic = loop.periodic,
                   .deadline = loop.deadline_ns});
  }
  return all;
}

}  // namespace

Board::Board(const program::Options& options, const uno::Firmware& firmware,
             const uno::Declared& declared, BoardConsole& console)
    : options_(options),
      console_(console),
      devices_(make_devices(options, console)),
      mcu_(firmware),
      wiring_(mcu_, *devices_),
      log_(options.log_file),
      declared_(declared),
      watcher_(firmware, declared, mcu_, log_) {
  for (unsigned port = 0; port < mcu_.chip().uarts.size(); ++port) {
    serial_.emplace_back(firmware, mcu_, port);
  }
  if (!declared.has_kernel) return;  // nothing is scheduled
  calls_.emplace(
      watched_loops(declared), 1,
      program::CallWatch::Board{
          .release = [this](uint16_t thread) { return nanos(watcher_.release_of(thread)); },
          .interrupts = [this](unsigned) { return nanos(watcher_.interrupts().handlers()); }});
  log_.watch(&*calls_);
}

void Board::step(Cycles end) {
  const Cycles next = std::min(end, wiring_.next_event());
  const Mcu::State state = mcu_.step(mcu_.sleeping() ? next : mcu_.cycle() + 1);
  watcher_.update();
  if (call_times_) call_times_->update(mcu_);
  if (wiring_.update()) watcher_.parts_moved();
  if (ended_) return;
  if (console_.wants_stop()) {
    ended_ = console_.wants_stop();
  } else if (state != Mcu::State::Running || watcher_.wrong() != Watcher::Wrong::Nothing) {
    ended_ = program::StopReason::Fault;
  }
}

Cycles Board::quiet_until() const {
  if (!mcu_.sleeping()) return mcu_.cycle();
  return std::max(mcu_.cycle(), std::min(mcu_.next_timer(), wiring_.next_event()));
}

int Board::finish(program::StopReason reason, program::RunFacts& facts) {
  facts.duration = std::min(nanos(mcu_.cycle()), std::max(options_.duration, Nanos{1}));
  const Nanos end = program::end_of_board(*devices_, reason, nanos(mcu_.cycle()));
  devices_->advance(end);
  console_.flush();

  program::Happened happened;
  happened.notices = devices_->notices();
  happened.notices.insert(happened.notices.end(), notices_.begin(), notices_.end());
  if (reason == program::StopReason::Fault) happened.faults.push_back(fault_of(watcher_, mcu_));
  program::judge(options_, console_, reason, watcher_.in_setup(), happened);
  facts.end = happened.end;
  facts.faults = happened.faults;
  facts.notices.insert(facts.notices.end(), happened.notices.begin(), happened.notices.end());
  tell_facts(watcher_, mcu_, declared_, facts);
  if (calls_) {
    log_.watch(nullptr);
    calls_->finish(nanos(mcu_.cycle()));
    for (program::LoopFacts& loop : facts.loops) calls_->tell(loop);
  }
  for (const SerialWatch& serial : serial_) {
    if (const std::string lost = serial.notice(); !lost.empty()) facts.notices.push_back(lost);
  }
  if (mcu_.slept_deeply()) {
    facts.notices.emplace_back(
        "The sketch slept in another mode than SLEEP_MODE_IDLE: on an Uno timers 0 and 1 stand "
        "still "
        "then, and millis() and the clock of loops with them. Here they go on, and wake it.");
  }
  if (!log_.close()) {
    throw program::UsageError{"cannot write the event log to " + options_.log_file};
  }
  facts.parts = devices_->finish(end);
  for (unsigned port = 0; port < serial_.size(); ++port) {
    const SerialWatch& serial = serial_[port];
    devices_->serial_lost(port, serial.without_room(), serial.overruns(), serial.unheard());
  }
  facts.serial = devices_->serial_facts();
  facts.wiring = devices_->wiring_facts();
  if (call_times_) facts.call_times = call_times_->found();
  facts.texts = console_.notes().all();
  program::write_facts(options_, program::to_json(facts));
  return happened.status;
}

}  // namespace hocket::avr
