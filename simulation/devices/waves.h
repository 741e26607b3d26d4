// The wave file: value change dump (IEEE 1364-2005, clause 18), 1 ns, for GTKWave, PulseView,
// sigrok-cli.
//
// Invariants: changes come in the order of time. A signal may be declared at any time before
// finish(), and has its initial value up to then: the body is kept in an unnamed temporary file,
// and the header is written last. With an empty file name every call is cheap and does nothing.
//
//   scope board    D2 D11 A0 …
//   scope sonar    sonar_echo …: own signals, or other names of pins' signals (with the part's name
//                  once more, because sigrok shows names without their scopes)
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "simulation/devices/devices.h"

namespace hocket::sim {

class Waves {
 public:
  using Signal = uint32_t;
  static constexpr Signal kNoSignal = UINT32_MAX;

  /// Throws DeviceError if the file cannot be written.
  explicit Waves(const std::string& file);
  ~Waves();
  Waves(const Waves&) = delete;
  Waves& operator=(const Waves&) = delete;

  bool on() const { return out_ != nullptr; }

  /// A new digital signal; `order` sorts the names within a scope. `initial` is one of 0 1 x z.
  Signal wire(const std::string& scope, const std::string& name, unsigned order, char initial);
  /// A new analog signal with `decimals` decimal digits: value 1234 with 2 decimals reads 12.34.
  Signal real(const std::string& scope, const std::string& name, unsigned order, int64_t initial,
              unsigned decimals);
  /// Another name for an existing signal.
  void alias(const std::string& scope, const std::string& name, unsigned order, Signal signal);

  void set(Nanos when, Signal signal, char value);
  void set(Nanos when, Signal signal, int64_t value);
  /// Records the value again: it has not changed up to this instant, and may change steadily from
  /// now on (a viewer can join one value to the next by a straight line).
  void mark(Nanos when, Signal signal);
  /// Records a step: the old value up to this instant, `value` from now on.
  void jump(Nanos when, Signal signal, int64_t value);

  /// Writes the file. Throws DeviceError if that fails.
  void finish(Nanos end);

 private:
  struct Closer {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  struct Variable {
    std::string scope, name;
    unsigned order;
    Signal signal;
  };
  struct State {
    bool real;
    unsigned decimals;
    int64_t initial, value;  // a wire's value is its character
  };

  void stamp(Nanos when);
  void header() const;
  std::string text(const State& state, int64_t value, Signal signal) const;

  std::string file_;
  std::vector<char> buffer_;  // used by body_
  std::unique_ptr<std::FILE, Closer> out_, body_;
  std::vector<Variable> variables_;
  std::vector<State> states_;
  Nanos stamped_ = 0;
};

/// `value` / 10^`decimals` in decimal notation, exactly.
std::string decimal(int64_t value, unsigned decimals);

}  // namespace hocket::sim
