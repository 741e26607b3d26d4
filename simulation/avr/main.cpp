// A board with an AVR, simulated: `hocket_avr --image SKETCH.elf --flash SKETCH.hex` and the
// options of docs/reference/sim-program.md. It runs the .hex file, with which a real board is
// programmed; the .elf file supplies the symbols. The image's loops are admitted here. Then the
// image runs, and the observations become the facts of the report. A second board, wired to the
// first, runs beside it with --second-image, --second-flash, --second-name, --second-scenario,
// --second-facts,
// --second-vcd, --wire HERE:THERE. With --debug ADDRESS it waits for gdb there (debug_link.h) and
// is controlled by gdb from its first instruction on. --time-call ADDRESS and --wait-call ADDRESS
// measure calls of functions (call_times.h).
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "simulation/avr/debugger.h"
#include "simulation/avr/loaded.h"
#include "simulation/avr/pair.h"
#include "simulation/avr/watched.h"

namespace hocket::avr {
namespace {

using program::Options;
using program::UsageError;

volatile std::sig_atomic_t interrupted = 0;

/// The functions whose calls are measured, and those that wait (call_times.h).
struct Timed {
  std::vector<uint32_t> functions, waits;
};

/// The second of two boards.
struct Second {
  std::string image, flash, name, scenario_file, facts_file, vcd_file;
  std::vector<Wire> wires;
};

/// Steps one or two boards to the end. Returns why it ended.
template <class Stepped>
program::StopReason play(Stepped& stepped, Cycles end) {
  std::signal(SIGINT, [](int) { interrupted = 1; });
  while (stepped.cycle() < end) {
    stepped.step(end);
    if (const auto reason = stepped.ended()) return *reason;
    if (interrupted != 0) return program::StopReason::Asked;
  }
  return program::StopReason::Time;
}

/// The same under control of gdb, from the jump at the reset vector on: gdb takes the address 0 for
/// none.
program::StopReason play_debugged(Board& board, Debugger& debugger, Cycles end) {
  board.step(end);
  while (board.cycle() < end) {
    if (!debugger.may_step()) return program::StopReason::Asked;
    board.step(end);
    if (const auto reason = board.ended()) {
      if (*reason == program::StopReason::Fault) debugger.faulted();
      return *reason;
    }
  }
  return program::StopReason::Time;
}

/// The same for an interactive run.
program::StopReason play_watched(Board& board, Watched& watched, Cycles end) {
  std::signal(SIGINT, [](int) { interrupted = 1; });
  for (;;) {
    watched.before_step();
    if (interrupted != 0) return program::StopReason::Asked;
    const Cycles closed = watched.end();
    if (board.cycle() >= std::min(end, closed)) {
      return closed <= end ? program::StopReason::Closed : program::StopReason::Time;
    }
    board.step(std::min({end, closed, watched.step_end()}));
    if (const auto reason = board.ended()) return *reason;
  }
}

int run_watched(Loaded& loaded, const live::LiveOptions& live, BoardConsole& console) {
  Board board(loaded.options, loaded.firmware, loaded.declared, console);
  Watched watched(live, loaded.facts, loaded.options.duration, board, interrupted);
  const auto reason = play_watched(board, watched, cycles_at(loaded.options.duration));
  watched.finish(nanos(board.cycle()));
  return board.finish(reason, loaded.facts);
}

int run(Loaded& loaded, const live::LiveOptions& live, const std::string& debug,
        const Timed& timed) {
  Terminal terminal;
  BoardConsole console(loaded.options, terminal, "");
  if (live.any()) return run_watched(loaded, live, console);
  Board board(loaded.options, loaded.firmware, loaded.declared, console);
  if (!timed.functions.empty()) board.time_calls({timed.functions, timed.waits});
  if (!debug.empty()) {
    Debugger debugger(debug, board.mcu());
    const auto reason = play_debugged(board, debugger, cycles_at(loaded.options.duration));
    const int status = board.finish(reason, loaded.facts);
    debugger.ended(status);
    return status;
  }
  const auto reason = play(board, cycles_at(loaded.options.duration));
  return board.finish(reason, loaded.facts);
}

/// Both boards have their own facts. The status is the first board's, but a fault of either counts.
int run_both(Loaded& here, Loaded& there, const Second& second) {
  Terminal terminal;
  BoardConsole console(here.options, terminal, ""), other(there.options, terminal, second.name);
  Board first(here.options, here.firmware, here.declared, console);
  Board last(there.options, there.firmware, there.declared, other);
  Pair pair(first, last, second.wires);
  const auto reason = play(pair, cycles_at(here.options.duration));
  // A board that has not ended by itself was ended by the other.
  const auto why = [&](const Board& board) {
    const bool fault = reason == program::StopReason::Fault && !board.ended();
    return board.ended() ? *board.ended() : fault ? program::StopReason::Time : reason;
  };
  const int status = first.finish(why(first), here.facts);
  const int others = last.finish(why(last), there.facts);
  terminal.end();
  return status == program::kDone ? others : status;
}

/// What runs is the content of the .hex file.
Loaded load_both(const Options& options, const BoardWords& board, const std::string& image,
                 const std::string& flash) {
  Loaded result = load(options, board, image);
  result.firmware.flash_from_hex(flash);
  return result;
}

/// Parses "3:2" as a wire.
Wire wire_of(const std::string& text) {
  Wire wire{};
  int used = 0;
  const bool read = std::sscanf(text.c_str(), "%u:%u%n", &wire.here, &wire.there, &used) == 2;
  if (!read || static_cast<size_t>(used) != text.size() ||
      std::max(wire.here, wire.there) >= sim::pinout::kPins) {
    throw UsageError{"--wire takes two pins, as 3:2, not \"" + text + "\""};
  }
  return wire;
}

uint32_t address_of(const std::string& text) {
  constexpr unsigned long kEnd = 0x4'0000;  // an ATmega2560 has 256 KiB
  size_t used = 0;
  unsigned long address = kEnd;
  try {
    address = std::stoul(text, &used, 0);
  } catch (const std::exception&) {
    used = 0;
  }
  if (used == 0 || used != text.size() || address >= kEnd) {
    throw UsageError{"--time-call and --wait-call take an address of code, not \"" + text + "\""};
  }
  return static_cast<uint32_t>(address);
}

int check_or_run(int count, char** arguments) {
  BoardWords board;
  std::string image, flash, debug;
  Second second;
  const auto take = [](std::string& to) { return [&to](const char* value) { to = value; }; };
  const auto take_wire = [&](const char* value) { second.wires.push_back(wire_of(value)); };
  Timed timed;
  const auto take_address = [](std::vector<uint32_t>& to) {
    return [&to](const char* value) { to.push_back(address_of(value)); };
  };
  live::LiveOptions live;
  std::vector<program::FurtherOption> further = live::live_options(live);
  add_board_options(board, further);
  const std::vector<program::FurtherOption> own = {
      {"image", true, take(image)},
      {"flash", true, take(flash)},
      {"second-image", true, take(second.image)},
      {"second-flash", true, take(second.flash)},
      {"second-name", true, take(second.name)},
      {"second-scenario", true, take(second.scenario_file)},
      {"second-facts", true, take(second.facts_file)},
      {"second-vcd", true, take(second.vcd_file)},
      {"wire", true, take_wire},
      {"time-call", true, take_address(timed.functions)},
      {"wait-call", true, take_address(timed.waits)},
      {"debug", true, take(debug)}};
  further.insert(further.end(), own.begin(), own.end());
  const Options options = program::parse_options(count, arguments, 1, further);
  check_named(board);
  if (!debug.empty() && !second.image.empty()) {
    throw UsageError{"--debug and --second-image do not go together"};
  }
  if (live.any() && !(debug.empty() && second.image.empty())) {
    throw UsageError{"--live and --touches go with one board, and without --debug"};
  }
  Loaded loaded = load_both(options, board, image, flash);
  const bool runs = loaded.facts.accepted || loaded.facts.anyway;
  if (!runs || options.check_only) return not_run(loaded);
  if (second.image.empty()) return run(loaded, live, debug, timed);
  Options others = options;
  others.scenario_file = second.scenario_file;
  others.facts_file = second.facts_file;
  others.vcd_file = second.vcd_file;
  others.log_file.clear();
  others.expect_texts.clear();
  others.note_texts.clear();
  others.fail_texts.clear();
  Loaded other = load_both(others, board, second.image, second.flash);
  if (other.facts.accepted || other.facts.anyway) return run_both(loaded, other, second);
  loaded.facts.end = "refused";
  loaded.facts.accepted = false;
  for (std::string& reason : other.facts.reasons) reason.insert(0, second.name + ": ");
  loaded.facts.reasons = other.facts.reasons;
  program::write_facts(options, program::to_json(loaded.facts));
  return not_run(other);
}

}  // namespace
}  // namespace hocket::avr

int main(int count, char** arguments) {
  return hocket::avr::guarded(hocket::avr::check_or_run, count, arguments);
}
