// Sees a handler ask to wait while no loop runs. What would wait is nobody: where the kernel has
// noted down that it waits, it has written where no thread is, and is lost, sooner or later. Where
// there was nothing to wait for (delay(0), p(0), an instant that has passed) all is as it was.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "simulation/uno/firmware.h"
#include "simulation/uno/mcu.h"

namespace hocket::uno {

class WaitWatch {
 public:
  explicit WaitWatch(const Firmware& firmware);

  /// After each step. `handler`: the sketch's, which runs beside nobody; 0: none does.
  void update(const Mcu& mcu, unsigned handler) {
    if (call_) {
      if (!lost_ && mcu.pc() == call_->returns_to) look(mcu);
    } else if (handler != 0 && asks(mcu.pc())) {
      begin(mcu, handler);
    }
  }
  /// Whose handler waits, or has; 0: none.
  unsigned handler() const { return call_ ? call_->handler : 0; }

 private:
  struct Call {
    unsigned handler;
    uint32_t returns_to;
    uint16_t stack;  // behind its return
    std::vector<uint8_t> variables;
  };
  bool asks(uint32_t pc) const;
  void begin(const Mcu& mcu, unsigned handler);
  void look(const Mcu& mcu);
  std::vector<uint8_t> variables(const Mcu& mcu) const;

  std::array<std::optional<uint32_t>, 3> waits_;  // the functions that may wait
  unsigned variables_end_;
  std::optional<Call> call_;
  bool lost_ = false;  // it has returned, and the kernel has changed
};

}  // namespace hocket::uno
