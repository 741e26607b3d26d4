// Measures from outside how long calls of chosen functions take: their own cycles and those of what
// they call, without interrupts, other loops, and functions in which they wait.
//
// A context is what runs on one stack until it is left. An interrupt or a wait leaves it, and it
// goes on at a known address with a known stack pointer. What happens until then is not counted.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "simulation/avr/mcu.h"
#include "simulation/program/facts.h"

namespace hocket::avr {

class CallTimes {
 public:
  /// The addresses of functions to measure, and of functions that wait.
  CallTimes(const std::vector<uint32_t>& functions, std::vector<uint32_t> waits);

  /// Call after each step.
  void update(const Mcu& mcu);
  const std::vector<program::CallTime>& found() const { return found_; }

 private:
  /// A call in progress. `sp`: the stack pointer when it began.
  struct Call {
    size_t function;
    uint16_t sp;
    Cycles cycles = 0;
    uint64_t waits = 0;
  };
  struct Context {
    std::vector<Call> calls;
    uint32_t pc = 0;  // where it goes on
    uint16_t sp = 0;
  };

  void leave(uint32_t pc, uint16_t sp);
  bool resume(uint32_t pc, uint16_t sp);
  void count(Cycles cycles, uint16_t sp);
  void begin(uint32_t pc, uint16_t sp);
  bool waits_at(uint32_t pc) const;

  std::vector<program::CallTime> found_;
  std::vector<uint32_t> waits_;
  std::optional<Context> runs_;
  std::vector<Context> left_;
  Cycles last_ = 0;
};

}  // namespace hocket::avr
