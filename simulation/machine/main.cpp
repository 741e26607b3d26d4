// The program that a sketch becomes on the simulated board: options, admission, run, facts.
#include <csignal>
#include <cstdio>
#include <exception>

#include "ports/host/faults.h"
#include "ports/host/port.h"
#include "simulation/machine/attempts.h"
#include "simulation/machine/calls.h"
#include "simulation/machine/console.h"
#include "simulation/machine/event_log.h"
#include "simulation/machine/linked_sketch.h"
#include "simulation/machine/pin_line.h"
#include "simulation/machine/program.h"
#include "simulation/machine/watched.h"

namespace hocket::sim {
namespace {

using program::Options;
using program::UsageError;

DeviceAccess* the_devices = nullptr;

/// A signal may come anywhere, even while no simulated core runs, so this must not be a basic block
/// of the core's program.
__attribute__((no_sanitize("coverage"))) void on_interrupt_signal(int) {
  if (host::Machine::exists()) host::Machine::instance().stop(host::StopReason::Asked);
}

program::StopReason reason_of(host::StopReason reason) {
  switch (reason) {
    case host::StopReason::Asked:
      return program::StopReason::Asked;
    case host::StopReason::Fault:
      return program::StopReason::Fault;
    case host::StopReason::Time:
      break;
  }
  return program::StopReason::Time;
}

int run(const Options& options, const live::LiveOptions& live, bool accepted) {
  program::Console console(options);
  std::optional<Watched> watched;
  if (live.any()) watched.emplace(live, gather_facts(options, accepted, nullptr), console);
  LineOfPins line(watched ? static_cast<DeviceSink&>(*watched) : console);
  const std::unique_ptr<Devices> board = Devices::create(device_options(options), line);
  prepare_linked_sketch(options.seed);
  if (!options.log_file.empty() && !open_event_log(options.log_file, options.cores)) {
    throw UsageError{"cannot write the event log to " + options.log_file};
  }

  host::Machine machine(
      {.cores = options.cores, .seed = options.seed, .end = options.duration, .model = {}});
  line.connect(machine, *board);
  DeviceAccess access(*board);
  the_devices = &access;
  host::install_fault_handlers();
  host::watch_for_endless(&devices_reached);
  struct sigaction on_interrupt{};  // not on the stack of the loop that is running
  on_interrupt.sa_handler = &on_interrupt_signal;
  on_interrupt.sa_flags = SA_ONSTACK | SA_RESTART;
  sigaction(SIGINT, &on_interrupt, nullptr);
  watch_console(console, *board, options.duration);
  if (watched) {
    watched->connect(machine, *board, gather_facts(options, accepted, nullptr), options.duration);
  }
  watch_for_attempts();
  Calls calls(machine, watched_loops(), &release_of);
  program::StopReason reason = reason_of(machine.run(&boot_core));
  forget_console();
  const bool closed = watched && watched->ended_at(machine.ended_at());
  if (closed && reason == program::StopReason::Time) reason = program::StopReason::Closed;
  board->advance(machine.ended_at());
  if (reason == program::StopReason::Time || closed) reason = console.wants_stop().value_or(reason);

  close_accounts(options.cores, machine.ended_at());
  const Nanos board_end = program::end_of_board(*board, reason, machine.ended_at());
  board->advance(board_end);
  if (watched) watched->finish(board_end);
  console.flush();

  program::Happened happened;
  happened.faults = recorded_faults();
  happened.notices = board->notices();
  for (std::string& each : complaints()) happened.notices.push_back(std::move(each));
  for (std::string& notice : long_sections(machine)) happened.notices.push_back(std::move(notice));
  for (std::string& notice : kept_locks(machine)) happened.notices.push_back(std::move(notice));
  program::judge(options, console, reason, in_setup(), happened);
  program::RunFacts facts = gather_facts(options, accepted, &machine);
  calls.finish(machine.ended_at(), facts.loops);
  facts.end = happened.end;
  facts.faults = happened.faults;
  facts.no_room = no_room();
  facts.notices = happened.notices;
  facts.parts = board->finish(board_end);
  facts.serial = board->serial_facts();
  facts.wiring = board->wiring_facts();
  facts.texts = console.notes().all();
  the_devices = nullptr;
  if (!close_event_log()) throw UsageError{"cannot write the event log to " + options.log_file};
  program::write_facts(options, program::to_json(facts));
  return happened.status;
}

int check_or_run(int count, char** arguments) {
  std::vector<SetLoop> set_loops;
  const auto take_loop = [&](const char* value) { set_loops.push_back(read_set_loop(value)); };
  live::LiveOptions live;
  std::vector<program::FurtherOption> further = live::live_options(live);
  further.push_back({"loop", true, take_loop});
  Options options = program::parse_options(count, arguments, host::HostPort::kCores, further);
  options.duration = std::min(options.duration, live.end());
  load_linked_sketch(set_loops);
  const bool accepted = admit_linked_sketch(options.cores);
  const bool runs = accepted || (options.anyway && run_linked_sketch_anyway(options.cores));
  if (runs && !options.check_only) return run(options, live, accepted);
  program::RunFacts facts = gather_facts(options, accepted, nullptr);
  facts.end = accepted ? "check" : "refused";
  program::write_facts(options, program::to_json(facts));
  for (const std::string& reason : facts.reasons) {
    std::fprintf(stderr, "hocket: refused: %s\n", reason.c_str());
  }
  return accepted ? program::kDone : program::kRefused;
}

}  // namespace

DeviceAccess* devices() {
  return the_devices;
}

}  // namespace hocket::sim

int main(int count, char** arguments) {
  using namespace hocket::sim;
  try {
    return check_or_run(count, arguments);
  } catch (const hocket::program::UsageError& error) {
    std::fprintf(stderr, "hocket: %s\n", error.text.c_str());
  } catch (const DeviceError& error) {
    std::fprintf(stderr, "hocket: %s\n", error.what());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "hocket: defect of the simulator: %s\n", error.what());
    return hocket::program::kDefect;
  }
  return hocket::program::kUsage;
}
