// One Armv6-M core: the Cortex-M0+ with MPU, single-cycle multiplier, VTOR and SysTick that the
// RP2040 has twice (datasheet, 2.4).
//
// Invariants: between two steps `cycle()` is the end of the last instruction. What a step does
// depends on the core, the memory and the bus alone. An instruction that faults changes no register
// before its exception is entered.
//
// Not modelled: late arrival and tail chaining (an exception that follows another at once is
// unstacked and stacked again), the restart of LDM and STM that an interrupt abandons (they are
// completed), and the two-word fetch buffer beyond its use of the bus.
#pragma once

#include <cstdint>

#include "simulation/rp2040/bus.h"
#include "simulation/rp2040/core/cycles.h"
#include "simulation/rp2040/core/fault.h"
#include "simulation/rp2040/core/mpu.h"
#include "simulation/rp2040/core/nvic.h"
#include "simulation/rp2040/core/registers.h"
#include "simulation/rp2040/core/sys_tick.h"
#include "simulation/rp2040/memory.h"

namespace hocket::rp2040 {

class Core {
 public:
  enum class State : uint8_t {
    Off,  // waits in the boot ROM to be started
    Running,
    Sleeping,         // WFI
    WaitingForEvent,  // WFE
    LockedUp,         // a fault where no exception can be taken: for good
  };

  Core(unsigned index, Memory& memory, Bus& bus, const Timing& timing);

  /// Begins to execute at an address, as after a reset.
  void start(uint32_t vectors, uint32_t stack, uint32_t pc, Cycles now);
  /// Begins with what a table of vectors says.
  void start_at(uint32_t vectors, Cycles now);

  /// Executes one instruction, or enters an exception. Only while it runs.
  void step();

  unsigned index() const { return index_; }
  State state() const { return state_; }
  bool runs() const { return state_ == State::Running; }
  bool sleeps() const { return state_ == State::Sleeping || state_ == State::WaitingForEvent; }
  Cycles cycle() const { return cycle_; }
  uint64_t instructions() const { return instructions_; }
  Cycles waited() const { return waited_; }  // for the other core, at RAM
  uint64_t faults() const { return faults_; }
  const Fault& last_fault() const { return last_fault_; }

  Registers& registers() { return registers_; }
  const Registers& registers() const { return registers_; }
  uint32_t pc() const { return registers_.r[Registers::kPc]; }
  Nvic& nvic() { return nvic_; }
  const Nvic& nvic() const { return nvic_; }
  const Mpu& mpu() const { return mpu_; }
  SysTick& sys_tick() { return sys_tick_; }
  /// The registers have been changed from outside.
  void registers_changed();

  /// The level of an interrupt line.
  void set_line(unsigned line, bool high);
  /// An event for WFE, at an instant.
  void send_event(Cycles now);
  /// SysTick up to an instant.
  void advance(Cycles now);
  Cycles next() const { return sys_tick_.next(); }
  /// It sleeps, and something may have made it pending since.
  bool may_wake() const { return attention_ && sleeps(); }
  /// Wakes it at an instant if what is pending does that.
  void try_to_wake(Cycles now);

  /// The core's own registers, at kPrivateBase. Returns false if it has none there.
  bool read_private(uint32_t offset, uint32_t& value, Cycles now);
  bool write_private(uint32_t offset, uint32_t value, Cycles now);

  /// A read as the core would make it, without time or effect, for debuggers.
  bool peek(uint32_t address, uint32_t& value) const;

 private:
  friend struct Instructions;

  // Memory, as instructions use it. Each returns false after it has set fault_.
  bool fetch(uint32_t address, uint32_t& halfword);
  template <class T>
  bool load(uint32_t address, uint32_t& value);
  template <class T>
  bool store(uint32_t address, uint32_t value);
  bool load_elsewhere(uint32_t address, uint32_t size, uint32_t& value);
  bool store_elsewhere(uint32_t address, uint32_t size, uint32_t value);
  bool fetch_elsewhere(uint32_t address, uint32_t& halfword);
  bool allowed(uint32_t address, uint8_t permission, Fault::Kind refusal);
  void charge_device(uint32_t address, uint32_t at_apb);
  void touch(uint32_t address);
  bool refuse(Fault::Kind kind, uint32_t address);

  // Exceptions.
  int priority() const;
  bool attend();
  void enter(uint32_t number, uint32_t return_to);
  bool push_frame(uint32_t return_to);
  void vector_to(uint32_t number, uint32_t link);
  void leave(uint32_t link);
  void raise(Fault fault);
  void supervisor_call();
  void branch_exchange(uint32_t target);
  bool returns_from_exception(uint32_t target) const;
  bool ends_sleep() const;
  void wait_for_interrupt();
  void wait_for_event();
  void permissions_changed();
  uint32_t read_special(uint32_t number) const;
  void write_special(uint32_t number, uint32_t value);
  uint32_t interrupt_control() const;
  void set_interrupt_control(uint32_t value);
  void set_pending(uint32_t number);

  const unsigned index_;
  Memory& memory_;
  Bus& bus_;
  const Timing& timing_;
  uint8_t* const ram_;
  const uint8_t* const flash_;

  Registers registers_;
  Nvic nvic_;
  Mpu mpu_;
  SysTick sys_tick_;
  const uint8_t* map_;      // of what is allowed now
  bool protected_ = false;  // the MPU's regions count
  State state_ = State::Off;
  bool attention_ = false;  // look at exceptions before the next instruction
  bool event_ = false;
  bool jumped_ = true;  // the next instruction is fetched anew
  uint32_t vectors_ = 0;
  uint32_t system_control_ = 0;
  uint32_t allowed_granule_ = kNoGranule;  // outside of RAM: code there may be executed

  Cycles cycle_ = 0;
  uint32_t spent_ = 0;  // in the instruction so far
  uint32_t next_pc_ = 0;
  Fault fault_;  // of the instruction
  Fault last_fault_;
  uint64_t faults_ = 0;
  uint64_t instructions_ = 0;
  Cycles waited_ = 0;

  static constexpr uint32_t kNoGranule = UINT32_MAX;
};

}  // namespace hocket::rp2040
