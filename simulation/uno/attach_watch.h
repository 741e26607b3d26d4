// Calls of attachInterrupt() and analogWrite() that cannot be what was meant: seen from outside as
// they begin, so that an image has nothing of it. Constants that no pin has are refused while
// compiling (pin_interrupts.h).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "simulation/uno/firmware.h"
#include "simulation/uno/mcu.h"

namespace hocket::uno {

class AttachWatch {
 public:
  explicit AttachWatch(const Firmware& firmware);

  /// After each step; `who` asks: a loop's number, or -1 for setup() or nobody.
  void update(const Mcu& mcu, int who) {
    if (mcu.pc() < first_ || mcu.pc() > last_) return;
    look(mcu, who);
  }
  /// For the report: a sentence for each that was made.
  std::vector<std::string> notices() const;

 private:
  enum class Kind : uint8_t { External, ExternalParam, Change, Any, Pwm };
  struct Entry {
    uint32_t address;
    Kind kind;
    unsigned first_pin;  // of the port
  };
  struct Complaint {
    std::string text;
    int who;
    unsigned times;
  };

  void look(const Mcu& mcu, int who);
  void look(const Mcu& mcu, const Entry& entry, int who);
  void complain(int who, std::string text);

  std::vector<Entry> entries_;
  uint32_t first_ = UINT32_MAX, last_ = 0;
  std::vector<Complaint> complaints_;
};

}  // namespace hocket::uno
