// Standard output, shared by boards: one board writes freely; the others' lines, with their names,
// are inserted between its lines.
//
//   ping: round 1
//   pong| heard 1
//   ping: round 2
#pragma once

#include <cstdio>
#include <map>
#include <string>

namespace hocket::avr {

class Terminal {
 public:
  /// `name` is empty for the board whose text is shown unchanged.
  void write(const std::string& name, const std::string& text) {
    if (text.empty()) return;
    if (name.empty()) {
      put(text);
      in_line_ = text.back() != '\n';
    } else {
      add(name, text);
    }
    if (!in_line_) release();
  }

  /// No more text will come: shows what is held back.
  void end() {
    for (auto& [name, rest] : unfinished_) {
      if (rest.empty()) continue;
      held_.append(name).append("| ").append(rest).append("\n");
      rest.clear();
    }
    if (held_.empty()) return;
    if (in_line_) put("\n");
    in_line_ = false;
    release();
  }

 private:
  void add(const std::string& name, const std::string& text) {
    std::string& line = unfinished_[name];
    for (const char c : text) {
      line += c;
      if (c != '\n') continue;
      held_.append(name).append("| ").append(line);
      line.clear();
    }
  }
  void release() {
    put(held_);
    held_.clear();
  }
  static void put(const std::string& text) {
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fflush(stdout);
  }

  std::map<std::string, std::string> unfinished_;
  std::string held_;  // whole lines, until the first board has ended its line
  bool in_line_ = false;
};

}  // namespace hocket::avr
