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
//
// A port has one interrupt for the changes of all its pins, in both directions. Its handler
// compares the levels with those before: as many changes are delivered as there are pins that
// differ when it looks. A pin that came back before is lost, also where the interrupt was raised
// for it.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <optional>

#include "arduino/cores/avr8/chips.h"
#include "arduino/cores/avr8/storm.h"
#include "simulation/avr/mcu.h"

namespace hocket::avr {

class PinWatch {
 public:
  static constexpr unsigned kMostLines = 9;  // those of EIMSK, then the three ports' changes

  struct Edges {
    uint64_t arrived = 0, delivered = 0, pending = 0, merged = 0, detached = 0;
  };

  /// `storm`: where the image keeps which interrupts it has, if it has any. `transaction`: which of
  /// them a transaction on the SPI bus keeps masked.
  PinWatch(const ChipModel& chip, std::optional<uint32_t> storm, std::optional<uint32_t> sections,
           std::optional<uint32_t> transaction)
      : chip_(chip),
        first_port_(static_cast<unsigned>(chip.external.size())),
        small_(chip.lines() <= 8),
        storm_(storm),
        sections_(sections),
        transaction_(transaction) {}

  /// After each step.
  void update(const Mcu& mcu) {
    if (!storm_) return;
    // (A handler that begins in this step has read nothing yet.)
    const unsigned port = port_read(mcu);
    const bool looks = port < kPorts && lines_[first_port_ + port].entered;
    look_at_lines(mcu);
    if (looks) looked(mcu, port);
    if (transaction_) look_at_transaction(mcu);
  }

  /// After the parts around the board have moved: an edge comes now, though the next step, a sleep
  /// perhaps, ends much later.
  void parts_moved(const Mcu& mcu) {
    if (!storm_ || moved_at_) return;
    const auto levels = pins(mcu);
    if (levels != last_) moved_at_ = mcu.cycle();
  }

  /// The image has handlers of pins, and so a budget of theirs.
  bool any() const { return storm_.has_value(); }
  /// A handler is, or was once.
  bool attached(unsigned interrupt) const { return (ever_attached_ >> interrupt & 1) != 0; }
  /// LOW, CHANGE, FALLING, RISING. Of a line of EIMSK.
  static unsigned sense(const Mcu& mcu, unsigned interrupt) {
    const ExternalModel& line = mcu.chip().external[interrupt];
    return mcu.data(line.sense) >> line.shift & 3;
  }
  /// Until its handler began.
  /// An edge that still waits `now` counts as well.
  Cycles longest_delay(unsigned interrupt, Cycles now) const {
    const Line& line = lines_[interrupt];
    if (!line.waits || (kept_ & attached_ & 1u << interrupt) == 0) return line.longest;
    return std::max(line.longest, now - *line.waits);
  }
  /// How often all were held back.
  unsigned times_held(const Mcu& mcu) const {
    return storm_ ? mcu.data16(in_storm(offsetof(uno::StormOf<uint8_t>, times))) : 0;
  }
  /// Loops that waited between noInterrupts() and interrupts(): how long handlers are held back for
  /// that at most, in matches of timer 0 (0: none waited), how often that was too short, and the
  /// last loop that it was too short for.
  struct Sections {
    unsigned most, times, loop;
  };
  Sections sections(const Mcu& mcu) const {
    if (!sections_) return {};
    if (small_)
      return sections_as<uno::WaitingSectionsOf<uint8_t, uno::Atmega328p::kMostLoops>>(mcu);
    return sections_as<uno::WaitingSectionsOf<uint16_t, uno::Atmega2560::kMostLoops>>(mcu);
  }
  /// Transactions that keep single interrupts masked: how many of those have handlers, and the
  /// longest time that one of them lasted.
  struct Transactions {
    unsigned interrupts;
    Cycles longest;
  };
  Transactions transactions(Cycles now) const {
    return {.interrupts = static_cast<unsigned>(std::popcount(in_transactions_ & ever_attached_)),
            .longest = in_transaction_ == 0
                           ? longest_transaction_
                           : std::max(longest_transaction_, now - transaction_began_)};
  }
  Edges edges(unsigned interrupt) const {
    Edges edges = lines_[interrupt].edges;
    edges.pending = (kept_ & attached_) >> interrupt & 1;
    return edges;
  }

 private:
  static constexpr unsigned kPorts = 3;

  template <class Layout>
  Sections sections_as(const Mcu& mcu) const {
    const auto at = [this](size_t place) { return static_cast<uint16_t>(*sections_ + place); };
    return {.most = mcu.data16(at(offsetof(Layout, most))),
            .times = mcu.data(at(offsetof(Layout, times))),
            .loop = mcu.data(at(offsetof(Layout, overdue)))};
  }

  struct Line {
    Edges edges;
    // Of a port, since its handler looked last: it has begun; those that have merged; those that it
    // has seen before their interrupt came.
    bool entered = false;
    uint64_t merged = 0, ahead = 0;
    std::optional<Cycles> waits;  // since when the first one does
    Cycles longest = 0;
  };
  void look_at_transaction(const Mcu& mcu) {
    constexpr unsigned kAll = 0xff;  // by masking all interrupts
    unsigned now = mcu.data(static_cast<uint16_t>(*transaction_));
    if (now == kAll) now = 0;
    if (now == in_transaction_) return;
    if (in_transaction_ != 0) {
      longest_transaction_ = std::max(longest_transaction_, mcu.cycle() - transaction_began_);
    }
    transaction_began_ = mcu.cycle();
    in_transaction_ = now;
    in_transactions_ |= now;
  }

  /// Of one interrupt in one step.
  struct Step {
    bool before, now;  // the hardware's one bit
    unsigned came;
    bool taken;
  };

  /// Each line's, in this step.
  void look_at_lines(const Mcu& mcu) {
    const unsigned lines = chip_.lines();
    const uint16_t set = in_storm(offsetof(uno::StormOf<uint8_t>, attached));
    const unsigned attached = small_ ? mcu.data(set) : mcu.data16(set);
    const unsigned flags = mcu.data(0x3c) & ((1u << first_port_) - 1);  // EIFR
    const unsigned kept = flags | mcu.data(0x3b) << first_port_;        // PCIFR
    std::array<unsigned, kMostLines> came{};
    const bool moved = look_at_pins(mcu, came);
    const Cycles came_at = moved_at_.value_or(mcu.cycle());
    moved_at_.reset();
    for (unsigned port = 0; port < kPorts; ++port) odd_[port] &= enabled(mcu, port);
    const unsigned taken = chip_.line_of(mcu.entered());
    if (!moved && taken >= lines && kept == kept_ && attached == attached_) return;
    for (unsigned i = 0; i < lines; ++i) {
      const unsigned bit = 1u << i;
      if (((attached | attached_) & bit) == 0) continue;
      // A stored edge of a line without a handler is not counted.
      account(lines_[i],
              {.before = (kept_ & attached_ & bit) != 0,
               .now = (kept & attached & bit) != 0,
               .came = came[i],
               .taken = taken == i},
              came_at, mcu.cycle());
    }
    kept_ = kept;
    attached_ = attached;
    ever_attached_ |= attached;
  }

  static void account(Line& line, const Step& step, Cycles came_at, Cycles now) {
    const unsigned in = (step.before ? 1 : 0) + step.came;
    const unsigned out = (step.taken ? 1 : 0) + (step.now ? 1 : 0);
    // A level's call, or an edge of the instant before the handler was attached.
    const unsigned unseen = out > in ? out - in : 0;
    line.edges.arrived += step.came + unseen;
    if (step.taken) ++line.edges.delivered;
    const unsigned lost = in + unseen - out;
    (out > 0 ? line.edges.merged : line.edges.detached) += lost;
    if (out > 0) line.merged += lost;
    line.entered = line.entered || step.taken;
    if (!line.waits && step.came > 0) line.waits = came_at;
    if (step.taken && line.waits) {
      line.longest = std::max(line.longest, now - *line.waits);
      line.waits.reset();
    }
    // One that came as this one was taken waits from here on.
    if (!step.now) line.waits.reset();
    if (step.now && !line.waits) line.waits = now;
  }

  /// The port whose levels an instruction reads (IN, the manual's 1011 0AAd dddd AAAA, or LDS);
  /// kPorts: none.
  unsigned port_read(const Mcu& mcu) const {
    constexpr uint16_t kLds = 0x9000, kLdsMask = 0xfe0f, kFirstIo = 0x20;
    const uint16_t word = mcu.instruction();
    unsigned address = 0;
    if ((word & 0xf800) == 0xb000) address = kFirstIo + ((word >> 5 & 0x30) | (word & 0xf));
    if ((word & kLdsMask) == kLds) address = mcu.operand();
    unsigned port = 0;
    while (port < kPorts && chip_.port(chip_.changes[port].port).input != address) ++port;
    return port;
  }
  /// Its handler has read them: what was counted for its interrupt is what it has seen.
  void looked(const Mcu& mcu, unsigned port) {
    Line& line = lines_[first_port_ + port];
    line.entered = false;
    const auto seen =
        static_cast<uint64_t>(std::popcount(static_cast<uint8_t>(odd_[port] & enabled(mcu, port))));
    odd_[port] = 0;
    if (seen > 0) {
      const uint64_t more = std::min(seen - 1, line.merged);
      line.edges.delivered += more;
      line.edges.merged -= more;
      line.ahead += seen - 1 - more;
    } else if (line.ahead > 0) {
      --line.ahead;
    } else {
      --line.edges.delivered;
      ++line.edges.merged;
    }
    line.merged = 0;
  }
  static uint8_t enabled(const Mcu& mcu, unsigned port) {
    return mcu.data(static_cast<uint16_t>(0x6b + port));  // PCMSK0 …
  }

  /// Which edges came that the interrupts are set for; false: no pin has moved.
  bool look_at_pins(const Mcu& mcu, std::array<unsigned, kMostLines>& came) {
    const auto now = pins(mcu);
    bool moved = false;
    for (unsigned port = 0; port < kPorts; ++port) {
      const auto changed = static_cast<uint8_t>(now[port] ^ last_[port]);
      if (changed == 0) continue;
      moved = true;
      const auto its_own = static_cast<uint8_t>(changed & enabled(mcu, port));
      odd_[port] ^= its_own;
      came[first_port_ + port] = static_cast<unsigned>(std::popcount(its_own));
    }
    for (unsigned i = 0; i < first_port_; ++i) {
      const bool high = now[kPorts + i] != 0;
      if (now[kPorts + i] == last_[kPorts + i]) continue;
      moved = true;
      came[i] = counts(sense(mcu, i), high) ? 1 : 0;
    }
    last_ = now;
    return moved;
  }
  /// The levels of the ports with pin changes, as their masks have them; then those of the pins
  /// with interrupts of their own.
  using Levels = std::array<uint8_t, kMostLines>;
  Levels pins(const Mcu& mcu) const {
    Levels all{};
    for (unsigned port = 0; port < kPorts; ++port) {
      const ChangeModel& change = chip_.changes[port];
      all[port] = static_cast<uint8_t>(mcu.data(chip_.port(change.port).input) << change.shift);
    }
    for (unsigned i = 0; i < first_port_; ++i) {
      const ExternalModel& line = chip_.external[i];
      all[kPorts + i] = mcu.data(chip_.port(line.port).input) >> line.bit & 1;
    }
    return all;
  }
  static bool counts(unsigned sense, bool high) {
    return sense == 1 || (sense == 2 && !high) || (sense == 3 && high);
  }
  uint16_t in_storm(size_t place) const { return static_cast<uint16_t>(*storm_ + place); }

  const ChipModel& chip_;
  unsigned first_port_;
  bool small_;  // a set of lines has a byte (storm.h)
  std::optional<uint32_t> storm_;
  std::optional<uint32_t> sections_;
  std::optional<uint32_t> transaction_;
  unsigned in_transaction_ = 0, in_transactions_ = 0;  // bits: now, and ever
  Cycles transaction_began_ = 0, longest_transaction_ = 0;
  Levels last_{};
  std::optional<Cycles> moved_at_;  // since the last step
  std::array<uint8_t, kPorts>
      odd_{};          // pins that are not as they were when the handler looked last
  unsigned kept_ = 0;  // bits, as Storm has them
  unsigned attached_ = 0;
  unsigned ever_attached_ = 0;
  std::array<Line, kMostLines> lines_{};
};

}  // namespace hocket::avr
