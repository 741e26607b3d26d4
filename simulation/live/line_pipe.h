// Two descriptors, lines in and lines out: how the board's program and who watches it talk.
#pragma once

#include <optional>
#include <string>

namespace hocket::live {

class LinePipe {
 public:
  static constexpr size_t kLongestLine = 16 * 1024;

  LinePipe(int in, int out) : in_(in), out_(out) {}

  /// A whole line that has come, if one has. One that is too long comes as an empty one.
  std::optional<std::string> next();
  /// Waits until something comes, so long at most.
  void wait(int milliseconds) const;
  /// Nobody is at the other end any more.
  bool closed() const { return closed_; }
  /// Writes a line; waits while the other end is slow.
  void send(std::string line);

 private:
  void read();

  int in_, out_;
  std::string coming_;
  bool too_long_ = false;
  bool ended_ = false;  // nothing more will come
  bool closed_ = false;
};

}  // namespace hocket::live
