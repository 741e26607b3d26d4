// The program that a sketch becomes on the simulated board: options, admission, run, facts.
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <fstream>
#include <iterator>

#include "arduino/runtime/runtime.h"
#include "boards/sim/console.h"
#include "boards/sim/event_log.h"
#include "boards/sim/program.h"
#include "ports/host/faults.h"

namespace hocket::sim {
namespace {

Devices* the_devices = nullptr;

std::string read_file(const std::string& name) {
  std::ifstream file(name, std::ios::binary);
  if (!file) throw UsageError{"cannot read the scenario " + name};
  return {std::istreambuf_iterator<char>(file), {}};
}

void write_facts(const Options& options, const std::string& facts) {
  if (options.facts_file.empty()) return;
  std::ofstream file(options.facts_file, std::ios::binary);
  file << facts;
  if (!file.flush()) throw UsageError{"cannot write the facts to " + options.facts_file};
}

void on_interrupt_signal(int) {
  if (host::Machine::exists()) host::Machine::instance().stop(host::StopReason::Asked);
}

/// How the run ended, in the report's words and as an exit status.
void judge(const Options& options, const Console& console, host::StopReason reason,
           Happened& happened) {
  const bool in_setup = runtime::phase() != runtime::Phase::Running;
  if (console.over_limit()) {
    happened.end = "serial limit";
    happened.status = kUsage;
    happened.notices.push_back("Serial sent more than " + std::to_string(options.serial_limit) +
                               " bytes; print less, or allow more with --serial-limit.");
  } else if (console.failed() != nullptr) {
    happened.end = "failed";
    happened.status = kFaulted;
    happened.notices.push_back("Serial sent \"" + *console.failed() +
                               "\", which --fail-text forbids.");
  } else if (reason == host::StopReason::Expected) {
    happened.end = "expected";
  } else if (reason == host::StopReason::Fault) {
    happened.end = "fault";
  } else if (reason == host::StopReason::Asked) {
    happened.end = "interrupted";
  } else if (!console.expected()) {
    happened.status = kNotExpected;
  } else if (in_setup) {
    happened.end = "setup";
    happened.status = kUsage;
    happened.notices.push_back(
        "setup() had not returned when the time was over, so no loop ever ran; what goes on for "
        "ever "
        "belongs in a loop.");
  }
  if (!happened.faults.empty() && happened.status != kUsage) happened.status = kFaulted;
}

/// When the board's devices end: with the run, but after a fault only when what was written to the
/// serial ports has left, since it may tell what happened.
Nanos end_of_board(const Devices& board, host::StopReason reason, Nanos run_end) {
  constexpr std::size_t kWholeBuffer = 64;
  Nanos end = run_end;
  for (unsigned port = 0; reason == host::StopReason::Fault && port < board.serial_count();
       ++port) {
    if (board.serial_begun(port)) end = std::max(end, board.serial_room_at(port, kWholeBuffer));
  }
  return end;
}

int run(const Options& options) {
  DeviceOptions device_options{.seed = options.seed, .scenario = {}, .vcd_file = options.vcd_file};
  if (!options.scenario_file.empty()) device_options.scenario = read_file(options.scenario_file);
  Console console(options);
  const std::unique_ptr<Devices> board = Devices::create(device_options, console);
  if (!runtime::allocate_stacks()) throw UsageError{"the host has no memory for the loops' stacks"};
  if (!options.log_file.empty() && !open_event_log(options.log_file, options.cores)) {
    throw UsageError{"cannot write the event log to " + options.log_file};
  }

  host::Machine machine(
      {.cores = options.cores, .seed = options.seed, .end = options.duration, .model = {}});
  the_devices = board.get();
  host::install_fault_handlers();
  struct sigaction on_interrupt{};  // not on the stack of the loop that happens to run
  on_interrupt.sa_handler = &on_interrupt_signal;
  on_interrupt.sa_flags = SA_ONSTACK | SA_RESTART;
  sigaction(SIGINT, &on_interrupt, nullptr);
  const host::StopReason reason = machine.run(&runtime::boot);

  const System::Instant end(static_cast<int64_t>(machine.ended_at()));
  for (unsigned i = 0; i < options.cores; ++i) System::close(static_cast<CoreId>(i), end);
  for (unsigned i = 0; i < runtime::loop_count(); ++i) runtime::loop(i).thread.meter.advance(end);
  const Nanos board_end = end_of_board(*board, reason, machine.ended_at());
  board->advance(board_end);
  console.flush();

  Happened happened;
  happened.faults = recorded_faults();
  happened.notices = board->notices();
  judge(options, console, reason, happened);
  const std::string facts = facts_json(options, /*accepted=*/true, happened, &machine, board_end);
  the_devices = nullptr;
  if (!close_event_log()) throw UsageError{"cannot write the event log to " + options.log_file};
  write_facts(options, facts);
  return happened.status;
}

int check_or_run(int count, char** arguments) {
  const Options options = parse_options(count, arguments);
  if (const char* error = runtime::load()) throw UsageError{error};
  if (fault_policy() == OnFault::RestartSketch) {
    throw UsageError{
        "the board sim cannot restart a sketch, as HOCKET_ON_FAULT(RestartSketch) asks\n"
        "the sketch and the kernel are one program there; write StopLoop or StopSketch"};
  }
  const bool accepted = runtime::admit(options.cores);
  if (accepted && !options.check_only) return run(options);
  Happened happened;
  happened.end = accepted ? "check" : "refused";
  write_facts(options, facts_json(options, accepted, happened, nullptr, 0));
  for (unsigned i = 0; i < runtime::reason_count(); ++i) {
    std::fprintf(stderr, "hocket: refused: %s\n", runtime::reason(i));
  }
  return accepted ? kDone : kRefused;
}

}  // namespace

Devices* devices() {
  return the_devices;
}

}  // namespace hocket::sim

int main(int count, char** arguments) {
  using namespace hocket::sim;
  try {
    return check_or_run(count, arguments);
  } catch (const UsageError& error) {
    std::fprintf(stderr, "hocket: %s\n", error.text.c_str());
  } catch (const DeviceError& error) {
    std::fprintf(stderr, "hocket: %s\n", error.what());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "hocket: defect of the simulator: %s\n", error.what());
    return kDefect;
  }
  return kUsage;
}
