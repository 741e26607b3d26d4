// The world around a board in an emulator: starts the emulator, serves it, and writes the facts of
// the report (docs/reference/world-program.md).
#include <csignal>
#include <cstdio>
#include <exception>

#include "simulation/peer/emulator.h"
#include "simulation/peer/serve.h"

namespace hocket::world {
namespace {

using program::UsageError;

struct WorldOptions {
  program::Options common;
  std::string image;
  std::string client;  // a program that replaces the emulator, for tests
  BoardInfo board;
  Timing timing = Timing::Counted;
  bool hypervisor = false;
  Beside beside;
};

/// Throws UsageError.
void check_beside(const WorldOptions& options) {
  check(options.beside);
  if (!options.beside.there()) return;
  if (!options.board.has("{more}")) {
    throw UsageError{"--beside: nothing can be beside the kernel on this board"};
  }
  if (options.hypervisor) throw UsageError{"--beside and --hypervisor do not go together"};
}

WorldOptions parse(int count, char** arguments) {
  WorldOptions options;
  constexpr unsigned kMostCores = 64;
  options.common = program::parse_options(
      count, arguments, kMostCores,
      {{"image", true, [&options](const char* value) { options.image = value; }},
       {"client", true, [&options](const char* value) { options.client = value; }},
       {"icount", false, [&options](const char*) { options.timing = Timing::Counted; }},
       {"hypervisor", false, [&options](const char*) { options.hypervisor = true; }},
       {"beside", true,
        [&options](const char* value) {
          options.beside.memory = parse_memory("--beside", value, 1024);
        }},
       {"load", true,
        [&options](const char* value) { options.beside.programs.push_back(parse_program(value)); }},
       {"console", true, [&options](const char* value) { options.beside.console = value; }},
       {"no-icount", false, [&options](const char*) { options.timing = Timing::Free; }},
       {"board", true, [&options](const char* value) { options.board.name = value; }},
       {"qemu", true, [&options](const char* value) { options.board.qemu = value; }},
       {"memory", true,
        [&options](const char* value) {
          options.board.memory = parse_memory("--memory", value, 65536);
        }},
       {"costs-estimated", false,
        [&options](const char*) { options.board.costs_estimated = true; }}});
  if (options.board.name.empty()) throw UsageError{"--board is missing: what the board is called"};
  if (options.board.qemu.empty()) throw UsageError{"--qemu is missing: what makes its machine"};
  if (options.image.empty() && options.client.empty()) {
    throw UsageError{"--image is missing: the kernel with the sketch"};
  }
  check_beside(options);
  return options;
}

std::vector<std::string> command(const WorldOptions& options, const std::string& folder) {
  if (!options.client.empty()) return {options.client, "world=" + folder};
  return emulator_command(options.board, options.image, options.common.cores, options.timing,
                          folder, options.hypervisor, options.beside);
}

void print_last_words(const Child& child) {
  for (const std::string& line : child.last_words()) {
    std::fprintf(stderr, "hocket: the emulator said: %s\n", line.c_str());
  }
}

int run(const WorldOptions& options) {
  const program::Options& common = options.common;
  WorldConsole console(common);
  const std::unique_ptr<sim::Devices> devices =
      sim::Devices::create(program::device_options(common), console);
  program::LogFile log;
  if (!common.log_file.empty() && !log.open(common.log_file, common.cores)) {
    throw UsageError{"cannot write the event log to " + common.log_file};
  }
  const Descriptor signals = interrupts();
  Channel channel;
  const ProgramLinks links(options.beside, channel.folder());
  Child child(command(options, channel.folder()), "install the package qemu-system-arm");
  Session session(common, *devices, console, log);
  Conclusion conclusion{};
  try {
    serve(session, channel, child, signals.get(), [&] {
      conclusion = conclude(session, common, options.board, options.timing, *devices, console);
      return conclusion.status;
    });
  } catch (const Broken& broken) {
    console.flush();
    child.kill();
    print_last_words(child);
    std::fprintf(stderr, "hocket: %s\n", broken.why.c_str());
    return broken.status;
  }
  print_last_words(child);
  if (!log.close()) throw UsageError{"cannot write the event log to " + common.log_file};
  if (conclusion.facts) program::write_facts(common, program::to_json(*conclusion.facts));
  const KernelFacts& said = session.facts();
  const bool unusable = session.end() == End::Unusable;
  for (const std::string& reason : said.reasons) {
    std::fprintf(stderr, "hocket: %s%s\n", unusable ? "" : "refused: ", reason.c_str());
  }
  for (const std::string& notice : said.notices) {
    if (unusable) std::fprintf(stderr, "hocket: %s\n", notice.c_str());
  }
  return conclusion.status;
}

}  // namespace
}  // namespace hocket::world

int main(int count, char** arguments) {
  using namespace hocket;
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe is then an error of write()
  try {
    return world::run(world::parse(count, arguments));
  } catch (const program::UsageError& error) {
    std::fprintf(stderr, "hocket: %s\n", error.text.c_str());
  } catch (const sim::DeviceError& error) {
    std::fprintf(stderr, "hocket: %s\n", error.what());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "hocket: defect of the world: %s\n", error.what());
    return program::kDefect;
  }
  return program::kUsage;
}
