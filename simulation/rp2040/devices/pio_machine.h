// A state machine of a PIO block: its registers and its instructions (datasheet, 3.2 to 3.5).
//
// Tick n of its clock is the first cycle at or after n * CLKDIV from the cycle at which the divider
// began. An instruction executes in one tick; one that stalls is tried again at each tick, of which
// those are skipped in which nothing can have changed (`waits()`).
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "simulation/rp2040/core/cycles.h"
#include "simulation/rp2040/devices/pio_fifo.h"

namespace hocket::rp2040 {

/// What the four machines of a block share.
struct PioShared {
  std::array<uint16_t, 32> program{};
  uint32_t flags = 0;  // IRQ
  uint32_t level = 0;  // of output pins
  uint32_t enable = 0;
  uint32_t inputs = 0;
};

class PioMachine {
 public:
  PioMachine(unsigned index, PioShared& shared) : index_(index), shared_(shared) {}

  // Registers as written.
  uint32_t divider = 1u << 16, execution = 0x1f << 12, shifting = 3u << 18, pins = 5u << 26;
  PioFifo transmit, receive;
  /// FDEBUG's bits of this machine.
  bool transmit_stalled = false, receive_stalled = false;

  void enable(bool on, Cycles now);
  bool enabled() const { return enabled_; }
  /// CTRL.SM_RESTART: what it has inside, but not its registers, X, Y or pc.
  void restart();
  void restart_clock(Cycles now);
  void set_shifting(uint32_t value);
  uint32_t pc() const { return pc_; }
  uint16_t instruction() const { return forced_ ? *forced_ : shared_.program[pc_]; }
  /// SMx_INSTR: executes at once.
  void execute_now(uint16_t code);

  Cycles next() const { return enabled_ && !waits_ ? instant(tick_) : kNever; }
  /// Executes one instruction, at next().
  void step();
  /// It stalls until something outside of it changes.
  bool waits() const { return waits_; }
  void wake(Cycles now);

 private:
  enum class Done : uint8_t { Yes, Stalled };

  uint64_t parts() const;  // 256 are a cycle
  Cycles instant(uint64_t tick) const;
  uint64_t tick_at(Cycles now) const;
  Done execute(uint16_t code);
  Done wait(uint32_t code);
  Done in(uint32_t code);
  Done out(uint32_t code);
  Done push(uint32_t code);
  Done pull(uint32_t code);
  Done move(uint32_t code);
  Done interrupt(uint32_t code);
  void set(uint32_t code);
  bool jumps(uint32_t condition);
  void side_set(uint16_t code);
  void put(uint32_t to, uint32_t value, unsigned base, unsigned count);
  void write_pins(uint32_t& word, uint32_t value, unsigned base, unsigned count);
  uint32_t read_pins() const;
  bool refill();
  bool empty_output() const { return shifted_out_ >= pull_threshold(); }
  unsigned flag_of(uint32_t code) const;
  uint32_t status() const;

  // Fields.
  unsigned side_count() const { return pins >> 29; }
  unsigned in_base() const { return pins >> 15 & 31; }
  unsigned out_base() const { return pins & 31; }
  unsigned out_count() const { return pins >> 20 & 63; }
  unsigned set_base() const { return pins >> 5 & 31; }
  unsigned set_count() const { return pins >> 26 & 7; }
  unsigned wrap_top() const { return execution >> 12 & 31; }
  unsigned wrap_bottom() const { return execution >> 7 & 31; }
  bool autopull() const { return (shifting >> 17 & 1) != 0; }
  bool autopush() const { return (shifting >> 16 & 1) != 0; }
  unsigned pull_threshold() const { return bits_of(shifting >> 25 & 31); }
  unsigned push_threshold() const { return bits_of(shifting >> 20 & 31); }
  /// 0 means 32.
  static unsigned bits_of(uint32_t field) { return field != 0 ? field : 32; }

  const unsigned index_;
  PioShared& shared_;
  bool enabled_ = false, waits_ = false, stalled_ = false;
  uint32_t x_ = 0, y_ = 0, in_ = 0, out_ = 0;
  unsigned shifted_in_ = 0, shifted_out_ = 32;
  uint32_t pc_ = 0, next_pc_ = 0;
  std::optional<uint16_t> forced_;  // by OUT or MOV to EXEC
  Cycles base_ = 0;                 // of tick 0
  uint64_t tick_ = 0;               // of the next instruction
};

}  // namespace hocket::rp2040
