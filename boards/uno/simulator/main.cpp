// The simulated Uno: `hocket_uno --image SKETCH.elf` and the options of
// docs/reference/sim-program.md. The image's loops are admitted here; then the image runs, and what
// is seen of it becomes the report's facts.
#include <csignal>
#include <cstdio>
#include <exception>

#include "boards/program/console.h"
#include "boards/uno/simulator/faults.h"
#include "boards/uno/simulator/tell.h"
#include "boards/uno/simulator/wiring.h"

namespace hocket::uno {
namespace {

using program::Options;
using program::UsageError;

volatile std::sig_atomic_t interrupted = 0;

class UnoConsole : public program::Console {
 public:
  using Console::Console;
  const std::optional<program::StopReason>& stopped() const { return stopped_; }

 private:
  void stop(program::StopReason reason) override { stopped_ = reason; }
  std::optional<program::StopReason> stopped_;
};

program::RunFacts facts_of(const Options& options) {
  program::RunFacts facts{};
  facts.board = "uno";
  facts.cores = 1;
  facts.seed = options.seed;
  facts.clock = "emulated";
  return facts;
}

/// Runs the image to its end; why it ended.
program::StopReason play(Mcu& mcu, Wiring& wiring, Watcher& watcher, const UnoConsole& console,
                         Cycles end) {
  Mcu::State state = Mcu::State::Running;
  while (mcu.cycle() < end) {
    const Cycles next = std::min(end, wiring.next_event());
    state = mcu.step(mcu.sleeping() ? next : mcu.cycle() + 1);
    watcher.update();
    wiring.update();
    if (console.stopped()) return *console.stopped();
    if (interrupted != 0) return program::StopReason::Asked;
    if (state != Mcu::State::Running || watcher.wrong() != Watcher::Wrong::Nothing) {
      return program::StopReason::Fault;
    }
  }
  return program::StopReason::Time;
}

int run(const Options& options, const Firmware& firmware, const Declared& declared,
        program::RunFacts& facts) {
  sim::DeviceOptions device_options{
      .seed = options.seed, .scenario = {}, .vcd_file = options.vcd_file};
  if (!options.scenario_file.empty()) {
    device_options.scenario = program::read_file(options.scenario_file, "scenario");
  }
  UnoConsole console(options);
  const std::unique_ptr<sim::Devices> devices = sim::Devices::create(device_options, console);
  Mcu mcu(firmware);
  Wiring wiring(mcu, *devices);
  EventLog log;
  if (!options.log_file.empty() && !log.open(options.log_file)) {
    throw UsageError{"cannot write the event log to " + options.log_file};
  }
  Watcher watcher(firmware, declared, mcu, log);
  std::signal(SIGINT, [](int) { interrupted = 1; });

  const auto reason = play(mcu, wiring, watcher, console, cycles_at(options.duration));
  const Nanos end = std::min(nanos(mcu.cycle()), std::max(options.duration, Nanos{1}));
  const Nanos board_end = program::end_of_board(*devices, reason, nanos(mcu.cycle()));
  devices->advance(board_end);
  console.flush();

  program::Happened happened;
  happened.notices = devices->notices();
  if (reason == program::StopReason::Fault) happened.faults.push_back(fault_of(watcher, mcu));
  program::judge(options, console, reason, watcher.in_setup(), happened);
  facts.duration = end;
  facts.end = happened.end;
  facts.faults = happened.faults;
  facts.notices = happened.notices;
  tell_facts(watcher, mcu, facts);
  if (!log.close()) throw UsageError{"cannot write the event log to " + options.log_file};
  facts.parts = devices->finish(board_end);
  facts.serial = devices->serial_facts();
  program::write_facts(options, program::to_json(facts));
  return happened.status;
}

int check_or_run(int count, char** arguments) {
  std::string image;
  const Options options = program::parse_options(
      count, arguments, 1, {{"image", true, [&](const char* value) { image = value; }}});
  if (image.empty()) throw UsageError{"no image was named: use --image FILE"};
  const Firmware firmware{image};
  const Declared declared = read_declared(firmware);
  program::RunFacts facts = facts_of(options);
  admit(declared, facts);
  if (facts.accepted && !options.check_only) return run(options, firmware, declared, facts);
  facts.end = facts.accepted ? "check" : "refused";
  program::write_facts(options, program::to_json(facts));
  for (const std::string& reason : facts.reasons) {
    std::fprintf(stderr, "hocket: refused: %s\n", reason.c_str());
  }
  return facts.accepted ? program::kDone : program::kRefused;
}

}  // namespace
}  // namespace hocket::uno

int main(int count, char** arguments) {
  using namespace hocket;
  try {
    return uno::check_or_run(count, arguments);
  } catch (const program::UsageError& error) {
    std::fprintf(stderr, "hocket: %s\n", error.text.c_str());
  } catch (const uno::BadFirmware& error) {
    std::fprintf(stderr, "hocket: the sketch cannot be run: %s\n", error.what());
  } catch (const sim::DeviceError& error) {
    std::fprintf(stderr, "hocket: %s\n", error.what());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "hocket: defect of the simulator: %s\n", error.what());
    return program::kDefect;
  }
  return program::kUsage;
}
