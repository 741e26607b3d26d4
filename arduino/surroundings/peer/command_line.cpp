// The kernel's command line (see command_line.h).
#include "arduino/surroundings/peer/command_line.h"

#include "drivers/semihosting/semihosting.h"

extern "C" bool hocket_semihosting_present();

namespace hocket::command_line {
namespace {

// Read once; a restart of the sketch keeps it.
[[gnu::section(".kept_zero")]] char line[1024];

}  // namespace

[[gnu::cold]] bool read() {
  return hocket_semihosting_present() && drivers::Semihosting::command_line(line, sizeof line) >= 0;
}

[[gnu::cold]] const char* after(const char* name) {
  for (const char* at = line; *at != '\0'; ++at) {
    unsigned i = 0;
    while (name[i] != '\0' && at[i] == name[i]) ++i;
    if (name[i] == '\0') return at + i;
  }
  return nullptr;
}

[[gnu::cold]] Path::Path(const char* word, const char* behind) {
  while (*word != '\0' && *word != ' ') add(*word++);
  while (*behind != '\0') add(*behind++);
}

}  // namespace hocket::command_line
