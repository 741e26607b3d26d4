// An infrared receiver (TSOP38238 and others) with a remote control. It demodulates: its output is
// low while the light blinks at 38 kHz.
//
// Source: Vishay TSOP382 data sheet (output idle high, active low, 30 kΩ pull-up inside).

#include <algorithm>

#include "simulation/parts/nec.h"
#include "simulation/parts/part.h"

namespace hocket::sim {
namespace {

class IrReceiver final : public Part {
 public:
  IrReceiver(Workbench& bench, Section& section)
      : Part(bench, section),
        out_(claim(section, section.pin("pin"), "pin")),
        hand_address_(static_cast<uint16_t>(section.number_or("address", 0, 0, 0xffff))) {
    for (const Item& item : section.list("pressed")) {
      item.only({"at", "address", "command", "for"});
      const auto at = static_cast<Nanos>(item.number("at", 0, kLongestTime));
      const auto length = item.optional("for", 1, kLongestTime);
      if (!presses_.empty() && at < presses_.back().until)
        item.fail("must begin when the press before it has ended");
      Press press{at, at, {}};
      press.frame.address =
          static_cast<uint16_t>(item.optional("address", 0, 0xffff).value_or(hand_address_));
      press.frame.command = static_cast<uint8_t>(item.number("command", 0, 0xff));
      press.until = at + std::max(length ? static_cast<Nanos>(*length) : 0, kNecRepeats);
      presses_.push_back(press);
    }
  }

  void start() override {
    bench_.pins.drive(0, out_, Drive::High);
    if (!presses_.empty()) bench_.events.schedule(presses_[0].at, *this, kPress);
  }

  void due(Nanos now, uint64_t token) override {
    if (token == kPress) {
      const Press press = presses_[next_++];
      if (next_ < presses_.size()) bench_.events.schedule(presses_[next_].at, *this, kPress);
      held_until_ = press.until;
      send(now, press.frame);
    } else if (token == kRepeat) {
      if (now >= held_until_) return;
      send(now, NecFrame{.repeat = true});
    } else {
      change(now);
    }
  }

  void facts(Facts& facts, Nanos) const override {
    facts.count("frames", frames_);
    facts.count("repeats", repeats_);
    facts.fixed("last_command", last_, 0);
  }
  void live(Facts& facts, Nanos, Nanos) const override {
    facts.count("frames", frames_);
    facts.fixed("last_command", last_, 0);
  }

 private:
  enum Token : uint64_t { kPress, kRepeat, kChange };
  struct Press {
    Nanos at, until;
    NecFrame frame;
  };

  std::vector<Control> controls() const override {
    return {number("command", "", 0, 255 * kMillion, last_.value_or(0) * kMillion)};
  }
  /// A user presses this key, once. Ignored while a frame is in progress.
  void turned(Nanos now, size_t, int64_t value) override {
    held_until_ = now;
    send(now, {.address = hand_address_, .command = static_cast<uint8_t>(value / kMillion)});
  }

  void send(Nanos now, const NecFrame& frame) {
    if (place_ < times_.size()) return;
    ++(frame.repeat ? repeats_ : frames_);
    if (!frame.repeat) last_ = frame.command;
    times_ = nec_times(frame);
    place_ = 0;
    if (now + kNecRepeats < held_until_) bench_.events.schedule(now + kNecRepeats, *this, kRepeat);
    change(now);
  }
  /// The next interval begins; the first is on.
  void change(Nanos now) {
    const bool on = place_ % 2 == 0 && place_ < times_.size();
    bench_.pins.drive(now, out_, on ? Drive::Low : Drive::High);
    if (place_ >= times_.size()) return;
    bench_.events.schedule(now + times_[place_++], *this, kChange);
  }

  Pins::Driver out_;
  uint16_t hand_address_;
  std::vector<Press> presses_;
  size_t next_ = 0, place_ = 0;
  std::vector<Nanos> times_;
  Nanos held_until_ = 0;
  uint64_t frames_ = 0, repeats_ = 0;
  std::optional<int64_t> last_;
};

}  // namespace

std::unique_ptr<Part> make_ir_receiver(Workbench& bench, Section& section) {
  return std::make_unique<IrReceiver>(bench, section);
}

}  // namespace hocket::sim
