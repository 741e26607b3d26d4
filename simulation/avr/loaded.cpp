#include "simulation/avr/loaded.h"

#include <cstdio>
#include <cstdlib>

#include "simulation/avr/admitted_facts.h"
#include "simulation/devices/devices.h"
#include "simulation/devices/pinout.h"

namespace hocket::avr {
namespace {

using program::Options;
using program::UsageError;

program::RunFacts facts_of(const Options& options, const std::string& board) {
  program::RunFacts facts{};
  facts.board = board;
  facts.cores = 1;
  facts.seed = options.seed;
  facts.policy = options.policy;
  facts.clock = "emulated";
  facts.tick = "simavr counts the processor's cycles: 16 are a microsecond";
  return facts;
}

/// The board's pins, by the numbers that parts use. The timer of the clock can make PWM as well
/// only if no kernel uses its compare units.
std::vector<program::PinFacts> pins_of(const ChipModel& chip, const uno::Declared& declared,
                                       unsigned analog_inputs) {
  std::vector<program::PinFacts> all;
  for (unsigned pin = 0; pin < chip.first_analog; ++pin) {
    bool has_pwm = false;
    for (const PwmModel& pwm : chip.pwm) {
      const bool free = pwm.timer != chip.clock_timer || !declared.has_kernel;
      has_pwm = has_pwm || (pwm.pin == pin && free);
    }
    all.push_back({pin, has_pwm});
  }
  for (unsigned input = 0; input < analog_inputs; ++input)
    all.push_back({sim::pinout::kAnalogBase + input, false});
  return all;
}

unsigned analog_inputs_of(const std::string& text) {
  constexpr unsigned long kMost = sim::pinout::kAnalogPins;
  char* end = nullptr;
  const unsigned long inputs = std::strtoul(text.c_str(), &end, 10);
  if (text.empty() || *end != '\0' || inputs < 1 || inputs > kMost) {
    throw UsageError{"--analog-inputs takes a number from 1 to " + std::to_string(kMost) +
                     ", not \"" + text + "\""};
  }
  return static_cast<unsigned>(inputs);
}

}  // namespace

void add_board_options(BoardWords& board, std::vector<program::FurtherOption>& options) {
  options.push_back({"board", true, [&board](const char* value) { board.name = value; }});
  options.push_back({"analog-inputs", true, [&board](const char* value) {
                       board.analog_inputs = analog_inputs_of(value);
                     }});
}

void check_named(const BoardWords& board) {
  if (board.name.empty()) throw UsageError{"no board was named: use --board NAME"};
}

Loaded load(const Options& options, const BoardWords& board, const std::string& image) {
  if (image.empty()) throw UsageError{"no image was named: use --image FILE"};
  Loaded result{options, uno::Firmware{image}, {}, facts_of(options, board.name)};
  result.declared = read_declared(result.firmware);
  result.facts.pins = pins_of(result.firmware.chip(), result.declared, board.analog_inputs);
  tell_admission(result.declared, admit(result.declared, options.anyway), result.facts);
  return result;
}

int not_run(Loaded& loaded) {
  const bool accepted = loaded.facts.accepted;
  loaded.facts.end = accepted ? "check" : "refused";
  program::write_facts(loaded.options, program::to_json(loaded.facts));
  for (const std::string& reason : loaded.facts.reasons) {
    std::fprintf(stderr, "hocket: refused: %s\n", reason.c_str());
  }
  return accepted ? program::kDone : program::kRefused;
}

int guarded(int (*body)(int, char**), int count, char** arguments) {
  try {
    return body(count, arguments);
  } catch (const UsageError& error) {
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

}  // namespace hocket::avr
