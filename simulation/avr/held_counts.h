// Timers of the ATmega328P keep their count (data sheet, 15.5, 16.6 and 18.5): while no clock is
// selected, when another clock or mode is selected, and as it was written. A timer whose compare
// register A is its top counts on where that is 0. A compare register that equals the count at
// which a clock is selected matches with the next count (18.5), unless the counter was written
// while it stood (18.5.2). That exception is kept in the modes with two slopes alone: in those that
// the library counts, no write of the counter holds a match back.
//
// libsimavr 1.6 differs. It starts at 0 with each clock and mode, so that a pulse whose length is
// written to a counter before its clock is selected lasts a whole turn. It reads 0 from a counter
// that stands still. It rounds a count that is written. And a timer that clears at compare match
// stands still while its top is 0, undivided, though it has a match in each cycle then. (The first
// match is missing in the modes with two slopes alone, which are not the library's: dual_slope.h.)
#pragma once

#include <array>
#include <cstdint>

struct avr_t;
struct avr_timer_t;

namespace hocket::avr {

/// For one processor: the library calls back with pointers into this, so it must not move.
class HeldCounts {
 public:
  /// Call once, before the firmware runs and after the other classes that replace registers of
  /// timers.
  void join(avr_t* avr);

 private:
  static constexpr unsigned kTimers = 6;
  using Function = void(avr_t*, uint16_t, uint8_t, void*);

  struct Timer;
  /// The callback of a register without this class.
  struct Write {
    Timer* timer = nullptr;
    Function* before = nullptr;
    void* parameter = nullptr;
  };
  struct Timer {
    avr_t* avr = nullptr;
    avr_timer_t* library = nullptr;
    uint16_t counter = 0, control_a = 0, control_b = 0;  // addresses
    uint32_t held = 0;
    bool each_cycle = false;  // its top is 0: it has a match in each
    bool written = false;     // the counter, while it stood: it does not match
    bool fresh = false;       // it has not counted since its clock was selected
    std::array<Write, 2> controls{};
    Write count{}, compare{};
    uint8_t (*read)(avr_t*, uint16_t, void*) = nullptr;
    void* read_parameter = nullptr;

    bool counts() const;
    bool wide() const;
    uint32_t count_now();
    void go_on_at(uint32_t value);
    void look_at_top();
    void begin();
  };

  static void take_over(Timer& timer, Write& write, uint16_t address, Function* function);
  static void control_written(avr_t* avr, uint16_t address, uint8_t value, void* write);
  static void counter_written(avr_t* avr, uint16_t address, uint8_t value, void* write);
  static void compare_written(avr_t* avr, uint16_t address, uint8_t value, void* write);
  static uint8_t counter_read(avr_t* avr, uint16_t address, void* timer);
  static uint64_t first_match(avr_t* avr, uint64_t now, void* timer);
  static uint64_t cycle(avr_t* avr, uint64_t now, void* timer);

  std::array<Timer, kTimers> timers_{};
};

}  // namespace hocket::avr
