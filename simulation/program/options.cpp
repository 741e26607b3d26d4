// The command line of a program that runs a board: see options.h.
#include "simulation/program/options.h"

#include <getopt.h>

#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <iterator>

namespace hocket::program {
namespace {

constexpr int kFirstFurther = 256;  // after every character code

uint64_t number(const char* option, const char* text, uint64_t least, uint64_t most) {
  char* end = nullptr;
  errno = 0;
  const unsigned long long value = std::strtoull(text, &end, 10);
  const bool digits = text[0] >= '0' && text[0] <= '9' && *end == '\0' && errno == 0;
  if (!digits || value < least || value > most) {
    throw UsageError{std::string("--") + option + " takes a whole number from " +
                     std::to_string(least) + " to " + std::to_string(most) + ", not \"" + text +
                     "\""};
  }
  return value;
}

}  // namespace

Options parse_options(int count, char** arguments, unsigned most_cores,
                      const std::vector<FurtherOption>& further) {
  std::vector<option> known = {
      {"cores", required_argument, nullptr, 'c'},
      {"for", required_argument, nullptr, 'f'},
      {"seed", required_argument, nullptr, 's'},
      {"scenario", required_argument, nullptr, 'S'},
      {"facts", required_argument, nullptr, 'F'},
      {"log", required_argument, nullptr, 'l'},
      {"vcd", required_argument, nullptr, 'v'},
      {"expect-text", required_argument, nullptr, 'e'},
      {"fail-text", required_argument, nullptr, 'E'},
      {"note-text", required_argument, nullptr, 'N'},
      {"check", no_argument, nullptr, 'k'},
      {"anyway", no_argument, nullptr, 'a'},
      {"serial-limit", required_argument, nullptr, 'L'},
      {"policy", required_argument, nullptr, 'p'},
      {"input", required_argument, nullptr, 'i'},
  };
  for (const FurtherOption& each : further) {
    const int code = kFirstFurther + static_cast<int>(&each - further.data());
    known.push_back({each.name, each.takes_value ? required_argument : no_argument, nullptr, code});
  }
  known.push_back({nullptr, 0, nullptr, 0});
  constexpr uint64_t kMostTime = INT64_MAX / 2;  // about 146 years
  Options options;
  opterr = 0;
  for (;;) {
    const int word = optind > 0 ? optind : 1;  // the word being parsed; "+" keeps their order
    const int code = getopt_long(count, arguments, "+", known.data(), nullptr);
    switch (code) {
      case 'c':
        options.cores = static_cast<unsigned>(number("cores", optarg, 1, most_cores));
        break;
      case 'f':
        options.duration = number("for", optarg, 1, kMostTime);
        break;
      case 's':
        options.seed = number("seed", optarg, 0, UINT64_MAX);
        break;
      case 'L':
        options.serial_limit = number("serial-limit", optarg, 1, UINT64_MAX);
        break;
      case 'S':
        options.scenario_file = optarg;
        break;
      case 'F':
        options.facts_file = optarg;
        break;
      case 'l':
        options.log_file = optarg;
        break;
      case 'v':
        options.vcd_file = optarg;
        break;
      case 'e':
        options.expect_texts.emplace_back(optarg);
        break;
      case 'E':
        options.fail_texts.emplace_back(optarg);
        break;
      case 'N':
        if (*optarg == '\0') throw UsageError{"--note-text takes a text, not \"\""};
        options.note_texts.emplace_back(optarg);
        break;
      case 'p':
        options.policy = optarg;
        break;
      case 'i':
        options.input_file = optarg;
        break;
      case 'a':
        options.anyway = true;
        break;
      case 'k':
        options.check_only = true;
        break;
      case -1:
        if (optind < count) {
          throw UsageError{std::string("\"") + arguments[optind] + "\" is no option"};
        }
        return options;
      default:
        if (code >= kFirstFurther) {
          const FurtherOption& chosen = further[static_cast<size_t>(code - kFirstFurther)];
          chosen.take(chosen.takes_value ? optarg : nullptr);
          break;
        }
        throw UsageError{std::string("\"") + arguments[word] +
                         "\" is no option of this program, or lacks its value"};
    }
  }
}

sim::DeviceOptions device_options(const Options& options) {
  sim::DeviceOptions result{.seed = options.seed, .scenario = {}, .vcd_file = options.vcd_file};
  if (!options.scenario_file.empty())
    result.scenario = read_file(options.scenario_file, "scenario");
  if (!options.input_file.empty()) result.input = read_file(options.input_file, "input");
  return result;
}

std::string read_file(const std::string& name, const char* what) {
  std::ifstream file(name, std::ios::binary);
  if (!file) throw UsageError{std::string("cannot read the ") + what + " " + name};
  return {std::istreambuf_iterator<char>(file), {}};
}

void write_facts(const Options& options, const std::string& facts) {
  if (options.facts_file.empty()) return;
  std::ofstream file(options.facts_file, std::ios::binary);
  file << facts;
  if (!file.flush()) throw UsageError{"cannot write the facts to " + options.facts_file};
}

}  // namespace hocket::program
