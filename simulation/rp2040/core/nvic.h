// Which exceptions of a core are pending and active, and which comes next (Armv6-M ARM, B1.5 and
// B3.4; RP2040 datasheet, 2.3.2).
#pragma once

#include <array>
#include <cstdint>

namespace hocket::rp2040 {

/// Numbers of exceptions; interrupt line n is kFirstInterrupt + n.
namespace exception {
inline constexpr uint32_t kNmi = 2, kHardFault = 3, kSvCall = 11, kPendSv = 14, kSysTick = 15;
inline constexpr uint32_t kFirstInterrupt = 16, kNumber = 48;
}  // namespace exception

class Nvic {
 public:
  /// Above all priorities that exceptions can have: that of Thread mode.
  static constexpr int kThread = 256;
  static constexpr int kHardFaultPriority = -1;

  struct Next {
    uint32_t number;  // 0: none
    int priority;
  };

  /// The level of an interrupt line. A rise makes the interrupt pending; while the level stands it
  /// is pending again after each return from its handler.
  void set_line(unsigned line, bool high);
  uint32_t lines() const { return lines_; }

  void pend(uint32_t number) { pending_ |= bit(number); }
  void unpend(uint32_t number) { pending_ &= ~bit(number); }
  bool pending(uint32_t number) const { return (pending_ & bit(number)) != 0; }
  bool active(uint32_t number) const { return (active_ & bit(number)) != 0; }
  uint32_t pending_interrupts() const {
    return static_cast<uint32_t>(pending_ >> exception::kFirstInterrupt);
  }
  bool anything_pending() const { return pending_ != 0; }
  void pend_interrupts(uint32_t bits) { pending_ |= uint64_t{bits} << exception::kFirstInterrupt; }
  void unpend_interrupts(uint32_t bits);

  uint32_t enabled() const { return enabled_; }
  void enable(uint32_t bits) { enabled_ |= bits; }
  void disable(uint32_t bits) { enabled_ &= ~bits; }

  int priority(uint32_t number) const { return priority_[number]; }
  /// Two bits, the upper ones of the byte, are implemented.
  void set_priority(uint32_t number, uint32_t byte);
  /// Of the code that runs: the most urgent active exception's, without PRIMASK.
  int active_priority() const { return active_priority_; }

  /// The most urgent exception that is pending and enabled.
  Next next() const;

  void activate(uint32_t number);
  /// A handler has returned.
  void deactivate(uint32_t number);
  bool only_active(uint32_t number) const { return active_ == bit(number); }

 private:
  static constexpr uint64_t bit(uint32_t number) { return uint64_t{1} << number; }
  void update_active_priority();

  uint64_t pending_ = 0;
  uint64_t active_ = 0;
  uint32_t lines_ = 0;
  uint32_t enabled_ = 0;
  int active_priority_ = kThread;
  std::array<int16_t, exception::kNumber> priority_ = [] {
    std::array<int16_t, exception::kNumber> all{};
    all[exception::kNmi] = -2;
    all[exception::kHardFault] = kHardFaultPriority;
    return all;
  }();
};

}  // namespace hocket::rp2040
