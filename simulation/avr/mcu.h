// An ATmega, cycle by cycle: libsimavr with what it lacks against the real one.
//
// Corrections of libsimavr 1.6:
//   - an interrupt's response costs 4 cycles, 5 with a program counter of 22 bits (data sheets,
//     7.7.1), and 4 more out of sleep
//   - a skip over ADIW or SBIW passes over one word (whole_skips.h)
//   - a timer's flag is cleared by a 1 written to it, not by one written to another flag
//   - a timer's interrupt whose flag is set comes when it is enabled
//   - a timer counts up and down where its mode says so (dual_slope.h)
//   - a level at a pin asks for as long as it stands, and no longer (external_interrupts.h)
//   - nothing waits: a sleeping processor's time jumps to the next event, not a cycle past it
//   - a USART receives with the few bytes that it has (receiver.h)
//   - writing a byte of EEPROM takes its 3.3 ms, in which EEPE is set (data sheet, table 8-1)
// Invariants: time is `cycle()`, counted from reset; a run depends on the firmware and on what the
// caller does at given cycles, on nothing else.
#pragma once

#include <array>
#include <cstdarg>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "arduino/cores/avr8/image/firmware.h"
#include "simulation/avr/dual_slope.h"
#include "simulation/avr/external_interrupts.h"
#include "simulation/avr/further_changes.h"
#include "simulation/avr/held_counts.h"
#include "simulation/avr/interrupt_flags.h"
#include "simulation/avr/receiver.h"
#include "simulation/avr/transmitter.h"

struct avr_t;
struct avr_irq_t;

namespace hocket::avr {

using Cycles = uint64_t;
inline constexpr uint32_t kCyclesPerSecond = 16'000'000;  // an Uno's

/// 16 cycles are 1000 ns.
constexpr uint64_t nanos(Cycles cycles) {
  return cycles * 125 / 2;
}
constexpr Cycles cycles_at(uint64_t instant) {
  return instant / 125 * 2 + (instant % 125 * 2 + 124) / 125;
}

class Mcu {
 public:
  enum class State { Running, Stopped, Crashed };

  /// What an instruction cannot do.
  struct Wrong {
    enum class Kind : uint8_t { Instruction, Read, Write } kind;
    uint16_t address;  // of the data
  };

  /// Throws BadFirmware when there is no such processor in the library.
  explicit Mcu(const uno::Firmware& firmware, uint32_t cycles_per_second = kCyclesPerSecond);
  ~Mcu();
  Mcu(const Mcu&) = delete;
  Mcu& operator=(const Mcu&) = delete;

  const ChipModel& chip() const { return chip_; }
  Cycles cycle() const { return *cycle_; }
  uint32_t pc() const { return *pc_; }  // in bytes
  uint16_t stack_pointer() const { return data16(kStackPointer); }
  bool masked() const { return *unmasked_ == 0; }  // interrupts are
  bool sleeping() const;
  bool asleep_for_good() const;
  uint8_t data(uint16_t address) const { return data_[address]; }
  void set_data(uint16_t address, uint8_t value);
  uint16_t data16(uint16_t address) const {
    return static_cast<uint16_t>(data(address) | data(static_cast<uint16_t>(address + 1)) << 8);
  }

  /// While a function's first instruction is next: the address to which it returns, and the stack
  /// pointer after that. The address is above the pointer, in words, the highest byte first.
  struct Return {
    uint32_t to;
    uint16_t stack;
  };
  Return return_address() const;

  /// Executes one instruction, or sleeps until the next event, but at most until `end`. Stopped: it
  /// sleeps for ever, with interrupts masked.
  State step(Cycles end);
  /// When a unit of the processor (a timer, the converter …) next acts.
  Cycles next_timer() const;
  /// Steps until stop() or `end`.
  State run(Cycles end);
  void stop() { stopped_ = true; }

  /// Calls `function(value)` whenever the firmware writes the register at this address.
  void on_write(uint16_t address, std::function<void(uint8_t)> function);
  /// Calls `function(level)` whenever a timer's comparator sets or clears the pin that it has;
  /// timer '0' …, comparator 0 (A), 1 (B) or 2 (C). (The pin's own signal tells each write to its
  /// port, too, with the bit there, which does not count while the comparator has the pin.)
  void on_compare(char timer, unsigned comparator, std::function<void(bool)> function);
  /// Sets the level from outside. While the pin is an input the level stays, whatever the firmware
  /// writes to the port. For an output nothing happens now.
  void set_pin(char port, unsigned bit, bool high);
  /// Calls `function(port, byte)` for each byte that a USART has sent.
  void on_serial(std::function<void(unsigned, uint8_t)> function);
  /// A USART's receiver, to which received bytes are passed.
  Receiver& receiver(unsigned port = 0) { return receivers_[port]; }
  const Receiver& receiver(unsigned port = 0) const { return receivers_[port]; }
  /// Calls `function` at a cycle. It returns the next cycle, or 0.
  void at(Cycles when, std::function<Cycles(Cycles)> function);
  /// Sets the voltage at a converter input.
  void set_analog(unsigned channel, uint32_t millivolts);

  avr_t* avr() { return avr_; }

  /// Cycles spent asleep so far.
  Cycles asleep() const { return asleep_; }
  /// It has slept in a mode in which timers 0 and 1 stand still (data sheet, table 9-1): all but
  /// idle. The library's go on.
  bool slept_deeply() const { return slept_deeply_; }
  /// In the last step a handler ended with its `reti`; then a handler began (its number; 0: none).
  bool returned() const { return returned_; }
  unsigned entered() const { return entered_; }
  /// The word of the instruction executed in the last step; 0: asleep.
  uint16_t instruction() const { return instruction_; }
  /// The second word of that instruction, if it has one.
  uint16_t operand() const { return operand_; }
  /// The address of data that it wrote (ST, STD, STS); 0: none.
  uint16_t written() const { return written_; }
  /// Why the processor crashed, if known.
  const std::optional<Wrong>& wrong() const { return wrong_; }

 private:
  struct Hooks;
  static void slept(avr_t* avr, Cycles cycles);
  static uint64_t limit_reached(avr_t* avr, uint64_t now, void* unused);
  void limit_sleep(Cycles from, Cycles end);
  bool wrong_address(const uint8_t* code);
  static void handler(avr_irq_t* irq, uint32_t value, void* self);
  static void remark(avr_t* avr, int level, const char* format, va_list values);
  void eeprom_control(uint8_t value);
  avr_irq_t* pin(char port, unsigned bit);

  struct Outside {
    uint8_t set = 0, level = 0;  // pins of a port whose level is known, and that
  };
  static constexpr uint16_t kStackPointer = 0x5d;  // SPL, then SPH (data sheet, 7.5.1)

  const ChipModel& chip_;
  avr_t* avr_ = nullptr;
  // Pointers into *avr_, because data read after each instruction must not cost a call.
  const Cycles* cycle_ = nullptr;
  const uint32_t* pc_ = nullptr;
  const uint8_t* unmasked_ = nullptr;
  const uint8_t* data_ = nullptr;
  Hooks* hooks_ = nullptr;
  InterruptFlags interrupt_flags_;
  DualSlope dual_slope_;
  HeldCounts held_counts_;
  ExternalInterrupts external_interrupts_;
  FurtherChanges further_changes_;
  static constexpr unsigned kMostUarts = 4, kMostPorts = 11;
  std::array<Receiver, kMostUarts> receivers_;
  std::array<Transmitter, kMostUarts> transmitters_;
  std::array<Outside, kMostPorts> outside_{};
  bool stopped_ = false;
  bool slept_ = false;  // in this step
  bool slept_deeply_ = false;
  bool woken_ = false;  // the next interrupt ends a sleep
  Cycles asleep_ = 0;
  Cycles limit_ = 0;  // a sleep ends here; 0: at the library's own timers
  bool returned_ = false;
  unsigned entered_ = 0;
  uint16_t instruction_ = 0;
  uint16_t operand_ = 0;
  uint16_t written_ = 0;
  std::optional<Wrong> wrong_;
  uint32_t stores_results_;  // begin of a function of avr-libc; behind the program: it is not there
  Cycles eeprom_armed_until_ = 0;
  Cycles eeprom_busy_until_ = 0;
};

}  // namespace hocket::avr
