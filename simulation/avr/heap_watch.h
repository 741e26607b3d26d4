// Detects calls of malloc() and realloc() that fail. Sketches rarely check the result: a String
// keeps its old text, and nothing else shows that the rest is lost. (A failed `new` ends the run
// and is reported separately.)
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "arduino/cores/avr8/image/firmware.h"
#include "simulation/avr/mcu.h"
#include "simulation/program/facts.h"

namespace hocket::avr {

class HeapWatch {
 public:
  /// The firmware must outlive this object.
  explicit HeapWatch(const uno::Firmware& firmware);

  /// Call after each step; `asker` is running (asker.h).
  void update(const Mcu& mcu, int asker) {
    if (call_) {
      if (mcu.pc() == call_->returns_to && mcu.stack_pointer() == call_->stack) end(mcu, asker);
    } else if (mcu.pc() == malloc_ || mcu.pc() == realloc_) {
      begin(mcu);
    }
  }
  /// For the report: the first failed call, and the number of all.
  const std::optional<program::NoRoomFacts>& no_room() const { return no_room_; }

 private:
  struct Call {
    uint32_t returns_to;
    uint16_t stack;  // after its return
    unsigned bytes;
  };
  void begin(const Mcu& mcu);
  void end(const Mcu& mcu, int asker);
  std::vector<uint64_t> callers(const Mcu& mcu) const;
  bool follows_a_call(uint32_t address) const;

  static constexpr uint32_t kNowhere = UINT32_MAX;
  const uno::Firmware& firmware_;
  uint32_t malloc_, realloc_;
  std::optional<Call> call_;  // realloc() calls malloc(): only the outer call counts
  std::optional<program::NoRoomFacts> no_room_;
};

}  // namespace hocket::avr
