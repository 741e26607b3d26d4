// Detects a handler that calls a waiting function while no loop runs. There is no thread to block:
// if the kernel has recorded the wait, it has written to memory that belongs to no thread, and will
// crash sooner or later. If there was nothing to wait for (delay(0), p(0), a past instant), nothing
// has changed.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "arduino/cores/avr8/image/firmware.h"
#include "simulation/avr/mcu.h"

namespace hocket::avr {

class WaitWatch {
 public:
  explicit WaitWatch(const uno::Firmware& firmware);

  /// Call after each step. `handler`: the sketch's handler that runs while no loop does; 0: none.
  void update(const Mcu& mcu, unsigned handler) {
    if (call_) {
      if (!lost_ && mcu.pc() == call_->returns_to) look(mcu);
    } else if (handler != 0 && asks(mcu.pc())) {
      begin(mcu, handler);
    }
  }
  /// The interrupt whose handler waits or has waited; 0: none.
  unsigned handler() const { return call_ ? call_->handler : 0; }

 private:
  struct Call {
    unsigned handler;
    uint32_t returns_to;
    uint16_t stack;  // after its return
    std::vector<uint8_t> variables;
  };
  bool asks(uint32_t pc) const;
  void begin(const Mcu& mcu, unsigned handler);
  void look(const Mcu& mcu);
  std::vector<uint8_t> variables(const Mcu& mcu) const;

  std::array<std::optional<uint32_t>, 3> waits_;  // the functions that may wait
  unsigned variables_end_;
  std::optional<Call> call_;
  bool lost_ = false;  // it has returned, and the kernel's state has changed
};

}  // namespace hocket::avr
