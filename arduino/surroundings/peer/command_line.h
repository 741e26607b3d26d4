// The command line that the emulator passes to the kernel by semihosting.
#pragma once

namespace hocket::command_line {

/// Reads the command line. On core 0, at boot. Returns false if there is none.
bool read();

/// What follows `name` on the command line, up to a space or the end; null: `name` is not there.
const char* after(const char* name);

/// A text made of a word of the command line and an appended name.
class Path {
 public:
  Path(const char* word, const char* behind);
  const char* text() const { return text_; }

 private:
  void add(char c) {
    if (used_ + 1 < sizeof text_) text_[used_++] = c;
  }
  char text_[512] = {};
  unsigned used_ = 0;
};

}  // namespace hocket::command_line
