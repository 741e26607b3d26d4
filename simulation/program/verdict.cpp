// How a run ended: see verdict.h.
#include "simulation/program/verdict.h"

#include <algorithm>

#include "simulation/program/console.h"

namespace hocket::program {
namespace {

/// Without budgets, handlers of pins may starve setup(), so setup() may not be the cause.
std::string who_may_starve_it(const std::string& policy) {
  if (policy != "mlq" && policy != "bitmap" && policy != "lottery") return "";
  return " Or handlers of pins left it no time: by the policy " + policy + " nobody has a budget.";
}

}  // namespace

void judge(const Options& options, const Console& console, StopReason reason, bool in_setup,
           Happened& happened) {
  const TextSearch& sent = console.search();
  if (sent.over_limit()) {
    happened.end = "serial limit";
    happened.status = kUsage;
    happened.notices.push_back("Serial sent more than " + std::to_string(options.serial_limit) +
                               " bytes; print less, or allow more with --serial-limit.");
  } else if (sent.failed() != nullptr) {
    happened.end = "failed";
    happened.status = kFaulted;
    happened.notices.push_back("Serial sent \"" + *sent.failed() +
                               "\", which --fail-text forbids.");
  } else if (reason == StopReason::Expected) {
    happened.end = "expected";
  } else if (reason == StopReason::Fault) {
    happened.end = "fault";
  } else if (reason == StopReason::Asked) {
    happened.end = "interrupted";
    happened.status = kInterrupted;
  } else if (reason == StopReason::Closed) {
    happened.end = "closed";
    if (!sent.expected()) happened.status = kNotExpected;
  } else if (!sent.expected()) {
    happened.status = kNotExpected;
  } else if (in_setup) {
    happened.end = "setup";
    happened.status = kUsage;
    happened.notices.push_back(
        "setup() had not returned when the time was over, so no loop ever ran; what goes on for "
        "ever belongs in a loop. (Constructors of global objects run before it and count as it.)" +
        who_may_starve_it(options.policy));
  }
  if (happened.status == kUsage || happened.status == kInterrupted) return;
  if (!happened.faults.empty()) happened.status = kFaulted;
}

Nanos end_of_board(const sim::Devices& board, StopReason reason, Nanos run_end) {
  constexpr std::size_t kWholeBuffer = 64;
  Nanos end = run_end;
  for (unsigned port = 0; reason == StopReason::Fault && port < board.serial_count(); ++port) {
    if (board.serial_begun(port)) end = std::max(end, board.serial_room_at(port, kWholeBuffer));
  }
  return end;
}

}  // namespace hocket::program
