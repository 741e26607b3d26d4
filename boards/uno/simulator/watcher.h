// Sees from outside what a kernel would have to spend time on to know: who runs for how long, how
// often loops come round, how deep stacks get, for how long interrupts are masked. The image is the
// one that a real board gets, to the byte.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "boards/program/facts.h"
#include "boards/uno/simulator/declared.h"
#include "boards/uno/simulator/mcu.h"
#include "kernel/task/period_meter.h"

namespace hocket::uno {

class Watcher {
 public:
  Watcher(const Firmware& firmware, const Declared& declared, const Mcu& mcu);

  /// After each step.
  void update();

  bool in_setup() const { return in_setup_; }
  /// The system has given up (hocket_stop).
  bool stopped() const { return stopped_; }
  /// Which loop ran when it did; -1: none.
  int culprit() const;
  bool stack_overflown() const;
  Cycles longest_masked() const { return longest_masked_; }
  /// The loops' facts, in their order.
  std::vector<program::LoopRun> finish();
  program::CounterFacts counters() const;

 private:
  struct Watched {
    Loop loop;
    uint64_t iterations = 0;
    Cycles cpu = 0;
    uint16_t deepest = 0xffff;  // lowest stack pointer seen
    PeriodMeter<int64_t> meter;
  };
  void switched(uint16_t to);
  Watched* find(uint16_t thread);
  uint16_t running() const { return kernel_ ? mcu_.data16(kernel_->current) : 0; }
  void charge();

  const Mcu& mcu_;
  std::vector<Watched> loops_;
  std::optional<KernelLayout> kernel_;
  std::optional<uint32_t> iteration_, plain_iteration_, stop_, begin_;
  uint16_t current_ = 0;  // address of the running thread
  Watched* watched_ = nullptr;
  Cycles since_ = 0;
  Cycles masked_since_ = 0;
  Cycles asleep_ = 0;
  Cycles longest_masked_ = 0;
  uint16_t last_sp_ = 0;
  unsigned stayed_ = 0;
  uint64_t switches_ = 0;
  uint64_t timer_interrupts_ = 0;
  uint16_t free_ram_;  // what main's stack has
  bool in_setup_ = true;
  bool stopped_ = false;
};

}  // namespace hocket::uno
