// Edges at the pins with interrupts, as they arrive: whatever the processor makes of them. The
// hardware keeps one of those that come while their interrupt waits, so
//
//   arrived = delivered + pending + merged
//
// Interrupts whose handlers attachInterrupt() attaches, held back or not; a level is no edge.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <optional>

#include "arduino/cores/avr8/storm.h"
#include "simulation/uno/interrupt_watch.h"

namespace hocket::uno {

class PinWatch {
 public:
  static constexpr unsigned kInterrupts = 5;  // INT0, INT1, then the three ports' changes

  struct Edges {
    uint64_t arrived = 0, delivered = 0, pending = 0;
    uint64_t merged() const { return arrived - delivered - pending; }
  };

  /// `storm`: where the image keeps which interrupts it has, if it has any.
  explicit PinWatch(std::optional<uint32_t> storm) : storm_(storm) {}

  /// After each step.
  void update(const Mcu& mcu) {
    if (!storm_) return;
    const uint8_t now[] = {mcu.data(0x23), mcu.data(0x26), mcu.data(0x29)};  // PINB, PINC, PIND
    for (unsigned port = 0; port < 3; ++port) {
      const auto changed = static_cast<uint8_t>(now[port] ^ last_[port]);
      if (changed == 0) continue;
      last_[port] = now[port];
      const uint8_t mask = mcu.data(static_cast<uint16_t>(0x6b + port));  // PCMSK0 …
      arrive(mcu, kFirstPort + port, std::popcount(static_cast<uint8_t>(changed & mask)));
      if (port == 2) change_external(mcu, changed, now[port]);
    }
    const unsigned interrupt = mcu.entered() - 1;
    if (interrupt >= kInterrupts || !waits_[interrupt]) return;
    longest_[interrupt] = std::max(longest_[interrupt], mcu.cycle() - *waits_[interrupt]);
    waits_[interrupt].reset();
    // One that came as this one was taken waits from here on.
    if (kept(mcu, interrupt)) waits_[interrupt] = mcu.cycle();
  }

  bool attached(const Mcu& mcu, unsigned interrupt) const {
    return storm_ && (mcu.data(in_storm(offsetof(Storm, attached))) >> interrupt & 1) != 0;
  }
  /// LOW, CHANGE, FALLING, RISING. Of pins 2 and 3.
  static unsigned sense(const Mcu& mcu, unsigned interrupt) {
    return mcu.data(0x69) >> 2 * interrupt & 3;  // EICRA
  }
  /// Until its handler began.
  Cycles longest_delay(unsigned interrupt) const { return longest_[interrupt]; }
  /// How often all were held back.
  unsigned times_held(const Mcu& mcu) const {
    return storm_ ? mcu.data16(in_storm(offsetof(Storm, times))) : 0;
  }
  Edges edges(const Mcu& mcu, const InterruptWatch& interrupts, unsigned interrupt) const {
    return {arrived_[interrupt], interrupts.count(1 + interrupt), kept(mcu, interrupt) ? 1u : 0u};
  }

 private:
  /// The hardware's one bit is set.
  static bool kept(const Mcu& mcu, unsigned interrupt) {
    const bool external = interrupt < kFirstPort;
    const unsigned flags = mcu.data(external ? 0x3c : 0x3b);  // EIFR, PCIFR
    return (flags >> (external ? interrupt : interrupt - kFirstPort) & 1) != 0;
  }
  uint16_t in_storm(size_t place) const { return static_cast<uint16_t>(*storm_ + place); }
  void arrive(const Mcu& mcu, unsigned interrupt, int edges) {
    if (edges == 0 || !attached(mcu, interrupt)) return;
    arrived_[interrupt] += static_cast<unsigned>(edges);
    if (!waits_[interrupt]) waits_[interrupt] = mcu.cycle();
  }
  void change_external(const Mcu& mcu, uint8_t changed, uint8_t now) {
    for (unsigned i = 0; i < kFirstPort; ++i) {
      const unsigned pin = 2 + i;
      if ((changed >> pin & 1) == 0) continue;
      arrive(mcu, i, counts(sense(mcu, i), (now >> pin & 1) != 0) ? 1 : 0);
    }
  }
  static bool counts(unsigned sense, bool high) {
    return sense == 1 || (sense == 2 && !high) || (sense == 3 && high);
  }

  std::optional<uint32_t> storm_;
  std::array<uint8_t, 3> last_{};
  std::array<uint64_t, kInterrupts> arrived_{};
  std::array<std::optional<Cycles>, kInterrupts> waits_{};  // since when the first one does
  std::array<Cycles, kInterrupts> longest_{};
};

}  // namespace hocket::uno
