// A rotary encoder (KY-040): two contacts to ground with a phase shift of a quarter cycle, and a
// push button.
//
//   clockwise   clk ‾└──┐‾‾    one detent is a whole cycle: both contacts are open at rest
//               dt  ‾‾└──┐‾    counter-clockwise dt comes first
//
// Source: KY-040 module and Bourns PEC11R data sheets (10 kΩ to the supply; contact bounce 2 ms at
// most at 15 turns a minute).

#include <algorithm>
#include <array>
#include <cstdlib>

#include "simulation/parts/contact.h"
#include "simulation/parts/part.h"

namespace hocket::sim {
namespace {

class RotaryEncoder final : public Part {
 public:
  RotaryEncoder(Workbench& bench, Section& section)
      : Part(bench, section),
        bounce_(static_cast<Nanos>(section.number_or("bounce", 0, 0, 100'000'000))),
        released_(section.choice_or("resistor", 1, {"false", "true"}) == 1 ? Drive::WeakHigh
                                                                           : Drive::None),
        random_(bench.seed, section.name()),
        wave_(bench.waves.real(section.name(), "position", 4, 0, 0)) {
    contacts_[kClock] = claim(section, section.pin("clk"), "clk");
    contacts_[kData] = claim(section, section.pin("dt"), "dt");
    has_button_ = section.has("button");
    if (has_button_) contacts_[kButton] = claim(section, section.pin("button"), "button");
    read_turns(section);
    for (const Item& item : section.list("pressed")) {
      item.only({"at", "for"});
      if (!has_button_) item.fail("needs the pin of its button");
      const auto at = static_cast<Nanos>(item.number("at", 0, kLongestTime));
      const auto length = static_cast<Nanos>(item.number("for", 1, kLongestTime));
      if (!presses_.empty() && at <= presses_.back())
        item.fail("must begin after the press before it has ended");
      presses_.push_back(at);
      presses_.push_back(at + length);
    }
  }

  void start() override {
    for (unsigned i = 0; i < (has_button_ ? kContacts : kButton); ++i) put(0, i, false);
    if (!moves_.empty()) bench_.events.schedule(moves_[0].at, *this, kTurns);
    if (!presses_.empty()) bench_.events.schedule(presses_[0], *this, kPresses);
  }

  void due(Nanos now, uint64_t token) override {
    if (token == kTurns) return turn(now);
    if (token == kPresses) {
      contact(now, kButton, next_press_ % 2 == 0);
      if (++next_press_ < presses_.size())
        bench_.events.schedule(presses_[next_press_], *this, kPresses);
      return;
    }
    if (token == kHand) return turned_by_hand(now);
    const uint64_t rest = token - kTokens;  // a contact bounces
    const auto which = static_cast<unsigned>(rest % kContacts);
    if (rest / kContacts / 2 == versions_[which]) put(now, which, rest / kContacts % 2 != 0);
  }

  void facts(Facts& facts, Nanos) const override {
    facts.fixed("position", quarters_ / 4, 0);
    facts.count("detents", detents_);
    facts.count("presses", button_presses_);
    facts.count("edges", edges_);
  }
  void live(Facts& facts, Nanos, Nanos) const override {
    facts.fixed("position", quarters_ / 4, 0);
    if (has_button_) facts.flag("pressed", pressed_);
  }

 private:
  enum Contact : unsigned { kClock, kData, kButton, kContacts };
  enum Token : uint64_t { kTurns, kPresses, kHand, kTokens };
  static constexpr int64_t kMostDetents = 1000;
  static constexpr Nanos kHandsQuarter = 5'000'000;
  struct Move {
    Nanos at;
    int direction;
  };

  void read_turns(Section& section) {
    for (const Item& item : section.list("turns")) {
      item.only({"at", "detents", "for"});
      const auto at = static_cast<Nanos>(item.number("at", 0, kLongestTime));
      const int64_t detents = item.number("detents", -kMostDetents, kMostDetents);
      const auto quarters = static_cast<uint64_t>(std::abs(detents)) * 4;
      const auto length =
          static_cast<Nanos>(item.optional("for", 4, kLongestTime)
                                 .value_or(static_cast<int64_t>(quarters * kHandsQuarter)));
      if (!moves_.empty() && at <= moves_.back().at)
        item.fail("must begin after the turn before it has ended");
      for (uint64_t i = 0; i < quarters; ++i)
        moves_.push_back({at + length * i / quarters, detents < 0 ? -1 : 1});
    }
  }

  std::vector<Control> controls() const override {
    std::vector<Control> all{number("position", "", -kMostDetents * kMillion,
                                    kMostDetents * kMillion, quarters_ / 4 * kMillion)};
    if (has_button_) all.push_back(switched(pressed_, "pressed"));
    return all;
  }
  void turned(Nanos now, size_t control, int64_t value) override {
    if (control == 1) {
      if ((value != 0) != pressed_) contact(now, kButton, value != 0);
      return;
    }
    wanted_ = value / kMillion * 4;
    if (!by_hand_) turned_by_hand(now);
  }
  void turned_by_hand(Nanos now) {
    by_hand_ = quarters_ != wanted_;
    if (!by_hand_) return;
    quarter(now, quarters_ < wanted_ ? 1 : -1);
    bench_.events.schedule(now + kHandsQuarter, *this, kHand);
  }

  void turn(Nanos now) {
    quarter(now, moves_[next_move_].direction);
    if (++next_move_ < moves_.size()) bench_.events.schedule(moves_[next_move_].at, *this, kTurns);
  }

  /// Sets the contacts for a quarter of the cycle: open, clk, both, dt.
  void quarter(Nanos now, int direction) {
    quarters_ += direction;
    const auto at = static_cast<unsigned>((quarters_ % 4 + 4) % 4);
    if (at == 0) {
      ++detents_;
      bench_.waves.jump(now, wave_, quarters_ / 4);
    }
    const bool clock = at == 1 || at == 2, data = at == 2 || at == 3;
    if (clock != closed_[kClock]) contact(now, kClock, clock);
    if (data != closed_[kData]) contact(now, kData, data);
  }

  /// Changes the contact, with bounces.
  void contact(Nanos now, unsigned which, bool closed) {
    if (which == kButton) {
      pressed_ = closed;
      if (closed) ++button_presses_;
    }
    closed_[which] = closed;
    const uint64_t version = ++versions_[which];
    put(now, which, closed);
    bool state = closed;
    for (const Nanos instant : bounces(random_, now, bounce_)) {
      state = !state;
      bench_.events.schedule(instant, *this,
                             kTokens + which + kContacts * (2 * version + (state ? 1 : 0)));
    }
  }
  void put(Nanos now, unsigned which, bool closed) {
    if (closed != put_[which]) ++edges_;
    put_[which] = closed;
    bench_.pins.drive(now, contacts_[which], closed ? Drive::Low : released_);
  }

  Nanos bounce_;
  Drive released_;
  Random random_;
  Waves::Signal wave_;
  std::array<Pins::Driver, kContacts> contacts_{};
  std::array<bool, kContacts> closed_{}, put_{};
  std::array<uint64_t, kContacts> versions_{};
  bool has_button_ = false, pressed_ = false, by_hand_ = false;
  std::vector<Move> moves_;
  std::vector<Nanos> presses_;  // press, release, press, …
  size_t next_move_ = 0, next_press_ = 0;
  int64_t quarters_ = 0, wanted_ = 0;
  uint64_t detents_ = 0, button_presses_ = 0, edges_ = 0;
};

}  // namespace

std::unique_ptr<Part> make_rotary_encoder(Workbench& bench, Section& section) {
  return std::make_unique<RotaryEncoder>(bench, section);
}

}  // namespace hocket::sim
