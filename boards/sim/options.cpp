// The command line of a simulated sketch.
#include <getopt.h>

#include <cerrno>
#include <cstdlib>

#include "boards/sim/program.h"
#include "ports/host/port.h"

namespace hocket::sim {
namespace {

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

Options parse_options(int count, char** arguments) {
  static const option known[] = {
      {"cores", required_argument, nullptr, 'c'},
      {"for", required_argument, nullptr, 'f'},
      {"seed", required_argument, nullptr, 's'},
      {"scenario", required_argument, nullptr, 'S'},
      {"facts", required_argument, nullptr, 'F'},
      {"log", required_argument, nullptr, 'l'},
      {"vcd", required_argument, nullptr, 'v'},
      {"expect-text", required_argument, nullptr, 'e'},
      {"fail-text", required_argument, nullptr, 'E'},
      {"check", no_argument, nullptr, 'k'},
      {"serial-limit", required_argument, nullptr, 'L'},
      {nullptr, 0, nullptr, 0},
  };
  constexpr uint64_t kMostTime = INT64_MAX / 2;  // some 146 years
  Options options;
  opterr = 0;
  for (;;) {
    const int word = optind > 0 ? optind : 1;  // the one that is looked at; "+": in their order
    switch (getopt_long(count, arguments, "+", known, nullptr)) {
      case 'c':
        options.cores = static_cast<unsigned>(number("cores", optarg, 1, host::HostPort::kCores));
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
      case 'k':
        options.check_only = true;
        break;
      case -1:
        if (optind < count) {
          throw UsageError{std::string("\"") + arguments[optind] + "\" is no option"};
        }
        return options;
      default:
        throw UsageError{std::string("\"") + arguments[word] +
                         "\" is no option of this program, or lacks its value"};
    }
  }
}

}  // namespace hocket::sim
