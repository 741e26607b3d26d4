// Two descriptors with lines in each direction: the connection between the board's program and its
// viewer.
#pragma once

#include <optional>
#include <string>

namespace hocket::live {

class LinePipe {
 public:
  static constexpr size_t kLongestLine = 16 * 1024;

  LinePipe(int in, int out) : in_(in), out_(out) {}

  /// The next complete line, if there is one. A line that is too long is returned empty.
  std::optional<std::string> next();
  /// Waits until input arrives, for `milliseconds` at most.
  void wait(int milliseconds) const;
  /// Whether the other end is closed.
  bool closed() const { return closed_; }
  /// Writes a line; waits while the other end is slow.
  void send(std::string line);

 private:
  void read();

  int in_, out_;
  std::string coming_;
  bool too_long_ = false;
  bool ended_ = false;  // no more input will arrive
  bool closed_ = false;
};

}  // namespace hocket::live
