// Reads a task set, schedules it with the reference model or the kernel, prints what happened.
//
//   schedule_set [--engine slow|kernel] [FILE]     the schedule; FILE "-" or none: standard input
//   schedule_set --order deadlines [--engine …] [FILE]   by earliest deadline first
//   schedule_set --place CORES [FILE]              "core <name> <core>": where admission by earliest
//                                                  deadline first puts it; "none": nowhere
//   schedule_set --bounds [FILE]                   "bound <name> <R>" ("none" above the period)
//   schedule_set --generate mixed|punctual|naps|periodic|admission SEED     a random task set
//   schedule_set --engines                         the engines this build has, one a line
// Exit status: 0 done, 2 bad usage or a bad task set.
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <optional>

#include "generate.h"
#include "response_time.h"
#include "slow_model.h"
#ifdef HOCKET_HAS_KERNEL_ADAPTER
#include "admission_adapter.h"
#include "kernel_adapter.h"
#endif

namespace {

using namespace hocket::test;

struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

enum class Action { Slow, Kernel, Bounds, Place };

TaskSet read(const std::string& file) {
  std::ifstream opened;
  if (file != "-") {
    opened.open(file);
    if (!opened)
      throw UsageError(file + ": cannot be opened; name a task set file, or - for standard input");
  }
  std::istream& in = file == "-" ? std::cin : opened;
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  return parse(text, file == "-" ? "standard input" : file);
}

Trace simulate_with_kernel([[maybe_unused]] const TaskSet& set,
                           [[maybe_unused]] const Ordering& ordering) {
#ifdef HOCKET_HAS_KERNEL_ADAPTER
  return simulate_kernel(set, ordering);
#else
  throw UsageError("--engine kernel: this build has no kernel in it; build the whole project");
#endif
}

int generate_one(const std::vector<std::string>& words) {
  const std::map<std::string, Profile> profiles{{"mixed", Profile::Mixed},
                                                {"punctual", Profile::Punctual},
                                                {"naps", Profile::Naps},
                                                {"periodic", Profile::Periodic},
                                                {"admission", Profile::Admission}};
  if (words.size() != 3 || !profiles.contains(words[1]) ||
      words[2].find_first_not_of("0123456789") != std::string::npos || words[2].size() > 18) {
    throw UsageError(
        "--generate takes mixed, punctual, naps, periodic or admission, and a whole seed");
  }
  std::cout << print(generate(std::stoull(words[2]), profiles.at(words[1])));
  return 0;
}

void print_bounds(const TaskSet& set) {
  for (std::size_t i = 0; i < set.servers.size(); ++i) {
    const std::optional<Ticks> bound = response_bound(set, i);
    std::cout << "bound " << set.servers[i].name << " " << (bound ? std::to_string(*bound) : "none")
              << "\n";
  }
}

void print_places([[maybe_unused]] const TaskSet& set, [[maybe_unused]] unsigned cores) {
#ifdef HOCKET_HAS_KERNEL_ADAPTER
  const std::vector<int> placed = place_by_deadline(set, cores);
  for (std::size_t i = 0; i < placed.size(); ++i) {
    std::cout << "core " << set.servers[i].name << " "
              << (placed[i] < 0 ? "none" : std::to_string(placed[i])) << "\n";
  }
#else
  throw UsageError("--place: this build has no kernel in it; build the whole project");
#endif
}

int print_engines() {
  std::cout << "slow\n";
#ifdef HOCKET_HAS_KERNEL_ADAPTER
  std::cout << "kernel\n";
#endif
  return 0;
}

int run(const std::vector<std::string>& words) {
  if (!words.empty() && words[0] == "--generate") return generate_one(words);
  if (words == std::vector<std::string>{"--engines"}) return print_engines();
  Action action = Action::Slow;
  std::optional<std::string> file;
  Ordering ordering;
  unsigned cores = 1;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--bounds") {
      action = Action::Bounds;
    } else if (words[i] == "--order") {
      if (i + 1 >= words.size() || words[++i] != "deadlines") {
        throw UsageError("--order takes deadlines; without it the order is that of ranks");
      }
      ordering.kind = Ordering::Kind::Deadlines;
    } else if (words[i] == "--place") {
      const std::string count = i + 1 < words.size() ? words[++i] : "";
      if (count.size() != 1 || count[0] < '1' || count[0] > '8') {
        throw UsageError("--place takes a number of cores, 1 to 8");
      }
      cores = static_cast<unsigned>(count[0] - '0');
      action = Action::Place;
    } else if (words[i] == "--engine") {
      const std::string engine = i + 1 < words.size() ? words[++i] : "";
      if (engine != "slow" && engine != "kernel") {
        throw UsageError("--engine '" + engine + "' is unknown; choose slow or kernel");
      }
      action = engine == "slow" ? Action::Slow : Action::Kernel;
    } else if ((words[i].starts_with("-") && words[i] != "-") || file) {
      throw UsageError("'" + words[i] + "' is not understood; " +
                       "usage: schedule_set [--engine slow|kernel | --bounds] [FILE]");
    } else {
      file = words[i];
    }
  }
  const TaskSet set = read(file.value_or("-"));
  if (action == Action::Bounds) {
    print_bounds(set);
  } else if (action == Action::Place) {
    print_places(set, cores);
  } else {
    std::cout << print(set, action == Action::Slow ? simulate_slowly(set, ordering)
                                                   : simulate_with_kernel(set, ordering));
  }
  return 0;
}

}  // namespace

int main(int count, char** words) {
  try {
    return run({words + 1, words + count});
  } catch (const UsageError& error) {
    std::cerr << "schedule_set: " << error.what() << "\n";
  } catch (const ParseError& error) {
    std::cerr << error.what() << "\n";
  }
  return 2;
}
