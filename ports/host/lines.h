// The simulated machine's interrupt lines: a controller of 64 lines.
//
//     device ──▶ high ──▶ [ edge: latched until its handler begins ] ──▶ masked? ──▶ its core
//
// A line records when it became pending, masked or not, so that unmasking it interrupts at once.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

namespace hocket::host {

using Nanos = std::uint64_t;
inline constexpr Nanos kNever = UINT64_MAX;

/// A device that changes lines by itself (Machine::set_line), at instants that it knows in advance.
class LineSource {
 public:
  virtual ~LineSource() = default;
  /// The earliest instant at which it may change a line unless it is accessed before; kNever: none.
  virtual Nanos next_change() const = 0;
  /// Makes all changes up to and including `now`.
  virtual void advance(Nanos now) = 0;
};

class Lines {
 public:
  static constexpr unsigned kCount = 64;

  struct Line {
    void (*handler)(void*) = nullptr;
    void* argument = nullptr;
    unsigned core = 0;
    bool edge = false;
    bool masked = true;
    bool high = false;     // the device holds the line
    bool latched = false;  // an edge that no handler has seen
    Nanos since = kNever;  // when it became pending

    bool pending() const { return edge ? latched : high; }
    bool interrupts() const { return pending() && !masked; }
  };

  Line& operator[](unsigned line) { return lines_[line]; }

  void attach(unsigned number, const Line& line) {
    const bool high = lines_[number].high;
    lines_[number] = line;
    lines_[number].high = high;
    attached_ = true;
  }
  /// Whether any line is attached: then devices must not be late.
  bool attached() const { return attached_; }

  /// The device sets its line high or low at `at`.
  void set(unsigned number, bool high, Nanos at) {
    Line& line = lines_[number];
    const bool rises = high && !line.high;
    line.high = high;
    if (!rises || (line.edge && line.latched)) return;
    line.latched = line.edge;
    line.since = at;
  }

  /// Since when a line interrupts the core; kNever: none does.
  Nanos due(unsigned core) const {
    Nanos due = kNever;
    for (const Line& line : lines_) {
      if (line.core == core && line.interrupts()) due = std::min(due, line.since);
    }
    return due;
  }

  /// Returns the lowest line that interrupts the core at `now`, and acknowledges its edge.
  Line take(unsigned core, Nanos now) {
    for (Line& line : lines_) {
      if (line.core != core || !line.interrupts() || line.since > now) continue;
      line.latched = false;
      return line;
    }
    return {};
  }

 private:
  std::array<Line, kCount> lines_{};
  bool attached_ = false;
};

}  // namespace hocket::host
