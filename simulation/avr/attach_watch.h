// Detects wrong calls of attachInterrupt(), analogWrite() and tone(), by observing them as they
// begin, so that the image has no code for it. Wrong constants are compile errors
// (pin_interrupts.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "arduino/cores/avr8/image/firmware.h"
#include "simulation/avr/mcu.h"

namespace hocket::avr {

class AttachWatch {
 public:
  explicit AttachWatch(const uno::Firmware& firmware);

  /// Call after each step; `who` is running (asker.h).
  void update(const Mcu& mcu, int who) {
    if ((places_ >> mcu.pc() % 64 & 1) != 0) look(mcu, who);
  }
  /// For the report: one sentence for each wrong call.
  std::vector<std::string> notices() const;

 private:
  enum class Kind : uint8_t { External, ExternalParam, Change, Any, Pwm, Tone };
  struct Entry {
    uint32_t address;
    Kind kind;
    char port;  // whose pin changes it attaches; 0: no port's
  };
  struct Complaint {
    std::string text;
    int who;
    unsigned times;
  };

  void look(const Mcu& mcu, int who);
  void look(const Mcu& mcu, const Entry& entry, int who);
  void look_at_pwm(const Mcu& mcu, int who);
  unsigned pin_of(const Entry& entry, uint8_t argument) const;
  bool has_interrupt(int number) const;
  bool is_of_timer(int pin, unsigned timer) const;
  std::string pwm_pins_without(unsigned timer, unsigned other) const;
  bool tone_sounds(const Mcu& mcu) const;
  void complain(int who, std::string text);

  const ChipModel& chip_;
  std::vector<Entry> entries_;
  uint64_t places_ = 0;  // a filter: addresses of these functions, modulo 64
  bool has_loops_ = false;
  std::optional<uint16_t> timer2_taken_;  // tone.cpp
  std::vector<Complaint> complaints_;
};

}  // namespace hocket::avr
