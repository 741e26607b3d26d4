// Edges at the pins with interrupts, as they arrive: whatever the processor makes of them. The
// hardware keeps one of those that come while their interrupt waits, so after each step
//
//   kept before + came = taken + kept now + lost
//
// and what is lost has merged with one that is kept or taken, or what was kept has been cleared:
// the handler was detached or replaced. Over a run
//
//   arrived = delivered + pending + merged + detached
//
// Of interrupts while attachInterrupt() has a handler attached, held back or not. A level has no
// edges: each call for one is counted as one that came.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <optional>

#include "arduino/cores/avr8/storm.h"
#include "simulation/uno/mcu.h"

namespace hocket::uno {

class PinWatch {
 public:
  static constexpr unsigned kInterrupts = 5;  // INT0, INT1, then the three ports' changes

  struct Edges {
    uint64_t arrived = 0, delivered = 0, pending = 0, merged = 0, detached = 0;
  };

  /// `storm`: where the image keeps which interrupts it has, if it has any.
  explicit PinWatch(std::optional<uint32_t> storm) : storm_(storm) {}

  /// After each step.
  void update(const Mcu& mcu) {
    if (!storm_) return;
    const unsigned attached = mcu.data(in_storm(offsetof(Storm, attached)));
    const unsigned flags = mcu.data(0x3c) & kExternal;           // EIFR
    const unsigned kept = flags | mcu.data(0x3b) << kFirstPort;  // PCIFR
    std::array<unsigned, kInterrupts> came{};
    const bool moved = look_at_pins(mcu, came);
    const unsigned taken = mcu.entered() - 1;  // no pin's: kInterrupts or more
    if (!moved && taken >= kInterrupts && kept == kept_ && attached == attached_) return;
    for (unsigned i = 0; i < kInterrupts; ++i) {
      const unsigned bit = 1u << i;
      if (((attached | attached_) & bit) == 0) continue;
      // What is kept of one that has no handler now is nobody's.
      account(lines_[i],
              {.before = (kept_ & attached_ & bit) != 0,
               .now = (kept & attached & bit) != 0,
               .came = came[i],
               .taken = taken == i},
              mcu.cycle());
    }
    kept_ = kept;
    attached_ = attached;
    ever_attached_ |= attached;
  }

  /// A handler is, or was once.
  bool attached(unsigned interrupt) const { return (ever_attached_ >> interrupt & 1) != 0; }
  /// LOW, CHANGE, FALLING, RISING. Of pins 2 and 3.
  static unsigned sense(const Mcu& mcu, unsigned interrupt) {
    return mcu.data(0x69) >> 2 * interrupt & 3;  // EICRA
  }
  /// Until its handler began.
  Cycles longest_delay(unsigned interrupt) const { return lines_[interrupt].longest; }
  /// How often all were held back.
  unsigned times_held(const Mcu& mcu) const {
    return storm_ ? mcu.data16(in_storm(offsetof(Storm, times))) : 0;
  }
  Edges edges(unsigned interrupt) const {
    Edges edges = lines_[interrupt].edges;
    edges.pending = (kept_ & attached_) >> interrupt & 1;
    return edges;
  }

 private:
  static constexpr unsigned kExternal = (1 << kFirstPort) - 1;

  struct Line {
    Edges edges;
    std::optional<Cycles> waits;  // since when the first one does
    Cycles longest = 0;
  };
  /// Of one interrupt in one step.
  struct Step {
    bool before, now;  // the hardware's one bit
    unsigned came;
    bool taken;
  };

  static void account(Line& line, const Step& step, Cycles now) {
    const unsigned in = (step.before ? 1 : 0) + step.came;
    const unsigned out = (step.taken ? 1 : 0) + (step.now ? 1 : 0);
    // A level's call, or an edge of the instant before the handler was attached.
    const unsigned unseen = out > in ? out - in : 0;
    line.edges.arrived += step.came + unseen;
    if (step.taken) ++line.edges.delivered;
    (out > 0 ? line.edges.merged : line.edges.detached) += in + unseen - out;
    if (!line.waits && step.came > 0) line.waits = now;
    if (step.taken && line.waits) {
      line.longest = std::max(line.longest, now - *line.waits);
      line.waits.reset();
    }
    // One that came as this one was taken waits from here on.
    if (!step.now) line.waits.reset();
    if (step.now && !line.waits) line.waits = now;
  }

  /// Which edges came that the interrupts are set for; false: no pin has moved.
  bool look_at_pins(const Mcu& mcu, std::array<unsigned, kInterrupts>& came) {
    const uint8_t now[] = {mcu.data(0x23), mcu.data(0x26), mcu.data(0x29)};  // PINB, PINC, PIND
    bool moved = false;
    for (unsigned port = 0; port < 3; ++port) {
      const auto changed = static_cast<uint8_t>(now[port] ^ last_[port]);
      if (changed == 0) continue;
      moved = true;
      last_[port] = now[port];
      const uint8_t mask = mcu.data(static_cast<uint16_t>(0x6b + port));  // PCMSK0 …
      came[kFirstPort + port] =
          static_cast<unsigned>(std::popcount(static_cast<uint8_t>(changed & mask)));
      for (unsigned i = 0; port == 2 && i < kFirstPort; ++i) {
        const unsigned pin = 2 + i;
        const bool its = (changed >> pin & 1) != 0;
        came[i] = its && counts(sense(mcu, i), (now[port] >> pin & 1) != 0) ? 1 : 0;
      }
    }
    return moved;
  }
  static bool counts(unsigned sense, bool high) {
    return sense == 1 || (sense == 2 && !high) || (sense == 3 && high);
  }
  uint16_t in_storm(size_t place) const { return static_cast<uint16_t>(*storm_ + place); }

  std::optional<uint32_t> storm_;
  std::array<uint8_t, 3> last_{};
  unsigned kept_ = 0;  // bits, as Storm has them
  unsigned attached_ = 0;
  unsigned ever_attached_ = 0;
  std::array<Line, kInterrupts> lines_{};
};

}  // namespace hocket::uno
