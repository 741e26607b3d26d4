// Observes from outside what a kernel would need time to measure: how long each loop runs, the
// kernel's decisions, iterations, stack depths, and how long interrupts are masked. The image is
// byte for byte the one for a real board.
//
//   after each instruction:  interrupts → masking → who runs → its stack → where it is
//                                            └ the kernel's decisions are read when its section ends
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "simulation/avr/account_watch.h"
#include "simulation/avr/alarm_watch.h"
#include "simulation/avr/attach_watch.h"
#include "simulation/avr/heap_watch.h"
#include "simulation/avr/interrupt_watch.h"
#include "simulation/avr/loop_watch.h"
#include "simulation/avr/mask_watch.h"
#include "simulation/avr/pin_watch.h"
#include "simulation/avr/section_watch.h"
#include "simulation/avr/stack_watch.h"
#include "simulation/avr/wait_watch.h"
#include "simulation/program/facts.h"

namespace hocket::avr {

class Watcher {
 public:
  Watcher(const uno::Firmware& firmware, const uno::Declared& declared, const Mcu& mcu,
          EventLog& log);

  /// Call after each step.
  void update();

  bool in_setup() const { return in_setup_ && !in_variant_; }
  /// Faults that end a sketch.
  enum class Wrong : uint8_t {
    Nothing,
    Overflow,
    NoProgram,
    Restart,
    Watchdog,
    Unhandled,
    Ended,
    GaveUp,
    HeldLong,
    NoMemory,
    PureVirtual,
    NeedsItself,
    ClockChanged,
    Waited
  };
  Wrong wrong() const { return wrong_; }
  /// The address of the last instruction, and its loop; -1: setup(), or none.
  uint32_t code() const { return code_; }
  int culprit() const { return loop_id(); }
  /// The size of the stack in use, in bytes.
  unsigned stack_size() const { return stack_.size(); }

  /// The loops' facts, in order.
  std::vector<program::LoopRun> finish();
  /// Their counts so far.
  std::vector<program::LoopCounts> counts() const;
  program::CounterFacts counters() const;
  const MaskedSection& longest_masked() const { return masks_.longest(); }
  /// The longest that code outside of the kernel masked, and the guarantees do not count.
  const MaskedSection& masked_outside_kernel() const { return outside_.longest(); }
  Cycles longest_spin() const { return masks_.longest_spin(); }
  const InterruptWatch& interrupts() const { return interrupts_; }
  const AccountWatch::Longest& kernel_costs() const { return account_.longest(); }
  /// For simulation/program/call_watch.h: threads are numbered as in the event log.
  Cycles release_of(uint16_t thread) const { return loops_[thread - 1U].release(); }
  const PinWatch& pins() const { return pins_; }
  /// Pins were moved from outside between two steps.
  void parts_moved() { pins_.parts_moved(mcu_); }
  const AttachWatch& attached() const { return attached_; }
  const HeapWatch& heap() const { return heap_; }
  const AlarmWatch& alarms() const { return alarms_; }
  /// The interrupt whose handler has waited; ChipModel::alarm: an alarm's.
  unsigned waited() const { return waited_for_ != 0 ? waited_for_ : waits_.handler(); }

 private:
  void watch_setup(uint32_t pc);
  void watch_kernel(bool section_ended, unsigned handler);
  bool overflows();
  void look_at_loops();
  void switched(uint16_t to, unsigned handler);
  LoopWatch* find(uint16_t memory);
  void charge();
  void charge_until(Cycles end);
  void watch_handlers();
  unsigned handler() const;
  bool outside_kernel() const;
  unsigned handler_of_its_own() const;
  /// Whether a handler of attachInterrupt() runs.
  bool attached_handler_runs() const;
  void use_stack();
  Wrong look_for_wrong();
  Wrong why_restarted() const;
  bool clock_changed() const;
  int loop_id() const { return running_ == nullptr ? -1 : static_cast<int>(running_->id()); }
  /// The part of the sketch that runs (asker.h).
  int asker() const;
  uint16_t thread() const;

  const Mcu& mcu_;
  EventLog& log_;
  std::vector<LoopWatch> loops_;
  std::optional<KernelView> kernel_;
  std::optional<uint32_t> iteration_, plain_iteration_, stop_, begin_, variant_, variant_ended_;
  /// The functions with which the sketch's runtime ends a sketch that cannot continue, before
  /// stop_.
  struct End {
    std::optional<uint32_t> address;
    Wrong wrong;
  };
  std::array<End, 4> ends_;
  std::optional<uint32_t> unhandled_;
  uint32_t program_end_;
  unsigned variables_end_;  // main's stack may grow down to here

  InterruptWatch interrupts_;
  MaskWatch masks_;
  OutsideMaskWatch outside_;
  PinWatch pins_;
  AttachWatch attached_;
  HeapWatch heap_;
  SectionWatch sections_;
  AccountWatch account_;
  WaitWatch waits_;
  AlarmWatch alarms_;
  StackWatch stack_;
  StackWatch main_stack_;         // on which the kernel works for interrupts
  bool on_main_ = false;          // which of the two is in use
  uint16_t current_ = 0;          // memory of the running loop; 0: none
  LoopWatch* running_ = nullptr;  // the loop with that memory
  Cycles since_ = 0;              // since when it runs
  bool in_handler_ = false;       // except for handlers
  uint32_t code_ = 0;             // address of the last instruction
  uint32_t next_ = 0;
  uint64_t switches_ = 0;
  uint64_t preemptions_ = 0;
  bool clock_runs_ = false;
  bool in_setup_ = true;
  bool in_variant_ = false;  // initVariant() runs, in which a library may start its own scheduler
  bool started_ = false;     // the loops have been started
  unsigned waited_for_ = 0;  // the handler for which an interrupted loop has waited
  Wrong wrong_ = Wrong::Nothing;
};

}  // namespace hocket::avr
