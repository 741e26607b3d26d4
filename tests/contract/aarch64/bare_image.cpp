// The end of an image without a sketch, and its text (see bare_image.h).
#include "bare_image.h"

#include "drivers/semihosting/semihosting.h"
#include "kernel/base/text.h"

namespace hocket::bare {

void exit(unsigned status) {
  drivers::Semihosting::exit(status);
  for (;;) asm volatile("wfi");
}

void print(const char* text) {
  drivers::Semihosting::print(text);
}

bool asked_for(const char* word) {
  char line[128];
  const int64_t length = drivers::Semihosting::command_line(line, sizeof line);
  size_t letters = 0;
  while (word[letters] != '\0') ++letters;
  if (length < static_cast<int64_t>(letters)) return false;
  const char* last = line + length - letters;
  for (size_t i = 0; i < letters; ++i) {
    if (last[i] != word[i]) return false;
  }
  return true;
}

}  // namespace hocket::bare

extern "C" void hocket_halt(const char* reason) {
  hocket::bare::print(hocket::Text<200>("FAIL: ", reason, "\n").c_str());
  hocket::bare::exit(70);
}

/// A failed invariant of the kernel (HOCKET_CHECKED).
void hocket_check_failed(const char* what, const char* file, unsigned line) {
  hocket_halt(hocket::Text<200>(file, ":", line, ": ", what).c_str());
}

void hocket::machine::Board::halt(const char* reason) {
  hocket_halt(reason);
}
