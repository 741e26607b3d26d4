// The words that the emulator gives the kernel, by semihosting.
#pragma once

namespace hocket::command_line {

/// Reads it. Core 0, at boot. False: there is none.
bool read();

/// What follows `name` in it, up to a space or the end; null: it is not there.
const char* after(const char* name);

/// A text made of a word and what is put behind it.
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
