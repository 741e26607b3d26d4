// Timers that count up and down, which the library does not implement:
// phase-correct PWM, and phase- and frequency-correct PWM (data sheet, 15.7.4, 16.9.4, 16.9.5,
// 18.7.4). The stock core leaves timers 1 and 2 in such a mode.
//
//   TOP       /\      /\       2 TOP counts are a turn; OCR's new value counts from TOP on
//   OCR   ___/__\____/__\___   the pin falls on the way up and rises on the way down
//   0       /    \  /    \     the overflow's flag is set at the bottom
//
// While a timer is in such a mode, the library's own counting of it stops.
#pragma once

#include <array>
#include <cstdint>

#include "arduino/cores/avr8/image/chip_model.h"

struct avr_t;
struct avr_timer_t;

namespace hocket::avr {

class DualSlope {
 public:
  /// Call once, before the firmware runs.
  void join(avr_t* avr, const ChipModel& chip);

 private:
  static constexpr unsigned kTimers = 6, kOutputs = 3;

  struct Timer {
    DualSlope* all;
    avr_timer_t* library = nullptr;
    unsigned number = 0;
    bool runs = false;
    uint64_t begun = 0;  // cycle in which the turn began
    uint64_t per_count = 0;
    unsigned mode = 0;
    uint32_t top = 0, phase = 0;  // of the next event
    std::array<uint32_t, kOutputs> compares{};
  };

  static void control_written(avr_t* avr, uint16_t address, uint8_t value, void* write);
  static void counter_written(avr_t* avr, uint16_t address, uint8_t value, void* write);
  static uint8_t read_low(avr_t* avr, uint16_t address, void* timer);
  static uint64_t event(avr_t* avr, uint64_t now, void* timer);

  void begin(Timer& timer, unsigned mode, uint64_t per_count);
  void end(Timer& timer);
  void latch(Timer& timer);
  void arrive(Timer& timer);
  void compare(Timer& timer, unsigned output, bool up);
  void show(Timer& timer, unsigned output, bool high);
  uint32_t next_phase(const Timer& timer) const;
  uint32_t count(const Timer& timer) const;
  unsigned mode_of(const Timer& timer) const;
  uint64_t per_count_of(const Timer& timer) const;

  /// The library's own callbacks of a register, which are called before ours.
  struct Write {
    Timer* timer = nullptr;
    void (*library)(avr_t*, uint16_t, uint8_t, void*) = nullptr;
    void* parameter = nullptr;
  };
  struct Read {
    uint8_t (*library)(avr_t*, uint16_t, void*) = nullptr;
    void* parameter = nullptr;
  };
  using Function = void(avr_t*, uint16_t, uint8_t, void*);
  void take_over(Write& write, Timer& timer, uint16_t address, Function* function);

  const TimerModel& registers_of(unsigned number) const { return chip_->timers[number]; }

  avr_t* avr_ = nullptr;
  const ChipModel* chip_ = nullptr;
  std::array<Timer, kTimers> timers_{};
  std::array<Read, kTimers> reads_{};
  std::array<std::array<Write, 3>, kTimers> writes_{};  // control A, control B, the counter
};

}  // namespace hocket::avr
