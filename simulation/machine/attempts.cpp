// See attempts.h. Called by signal handlers and by the masked kernel, so not instrumented.
#include "simulation/machine/attempts.h"

#include <sys/syscall.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "simulation/confined/calls.h"
#include "simulation/confined/filter.h"
#include "simulation/confined/own_call.h"

namespace hocket::sim {
namespace {

constexpr unsigned kMostTexts = 32;  // the last one stands for all further attempts
char texts[kMostTexts][512];
unsigned texts_used = 0;

/// The file that a call of later_attempts() would open or start; nullptr: none.
const char* file_of(const host::RefusedCall& call) {
  const confined::Attempt* const attempt = confined::attempt_of(static_cast<int>(call.number));
  if (attempt == nullptr || !confined::is_later(*attempt)) return nullptr;
  return confined::readable_text(call.arguments[attempt->file]);
}

/// The C library itself looks for files of the system, such as the time zone and language names. It
/// may find what the launcher allows.
bool is_systems_own(const host::RefusedCall& call) {
  const char* const file = file_of(call);
  if (file == nullptr || call.number == SYS_execve) return false;
  const std::string_view name = file;
  if (name.find("/../") != std::string_view::npos) return false;
  return name.starts_with("/usr/") || name.starts_with("/lib") || name == "/etc/localtime";
}

long perform(const host::RefusedCall& call) {
  const confined::Attempt* const attempt = confined::attempt_of(static_cast<int>(call.number));
  if (attempt == nullptr || !confined::is_later(*attempt)) return -EPERM;
  confined::SystemCall own{call.number, {}};
  for (unsigned i = 0; i < 6; ++i) own.arguments[i] = call.arguments[i];
  return confined::call_ourselves(own);
}

}  // namespace

void watch_for_attempts() {
  if (std::getenv(confined::kMark) == nullptr) return;
  host::judge_refused_calls(&perform, &is_systems_own);
  confined::apply(confined::filter_of_running(confined::own_site()));
}

const char* words_of_attempt(const host::RefusedCall& call) {
  char* const text = texts[texts_used];
  if (texts_used + 1 < kMostTexts) ++texts_used;
  const confined::Attempt* const attempt = confined::attempt_of(static_cast<int>(call.number));
  const char* const deed = attempt == nullptr ? "called this computer" : attempt->deed;
  const char* const file = file_of(call);
  const char* const name = file != nullptr ? file : attempt != nullptr ? attempt->name : "?";
  std::snprintf(text, sizeof texts[0], file != nullptr ? "%s: %s" : "%s (%s)", deed, name);
  return text;
}

}  // namespace hocket::sim
