// A push button: connects its pin to ground or to the supply while it is pressed, and bounces.
//
//   wiring ground:  pin ──┬── button ── ground      pressed reads 0; needs a pull-up, the pin's own
//                  (resistor to supply)             (INPUT_PULLUP) or `resistor: true`
//
// Bounce: after each press and release the contact opens and closes one to five times more, at
// random instants within the bounce time (never past the next press or release).

#include <algorithm>

#include "simulation/parts/contact.h"
#include "simulation/parts/part.h"

namespace hocket::sim {
namespace {

class Button final : public Part {
 public:
  Button(Workbench& bench, Section& section)
      : Part(bench, section),
        pin_(section.pin("pin")),
        driver_(claim(section, pin_, "pin")),
        bounce_(static_cast<Nanos>(section.number_or("bounce", 0, 0, 100'000'000))),
        random_(bench.seed, section.name()) {
    to_ground_ = section.choice_or("wiring", 0, {"ground", "supply"}) == 0;
    resistor_ = section.choice_or("resistor", 0, {"false", "true"}) == 1;
    for (const Item& item : section.list("pressed")) {
      item.only({"at", "for"});
      const auto at = static_cast<Nanos>(item.number("at", 0, kLongestTime));
      const auto length = static_cast<Nanos>(item.number("for", 1, kLongestTime));
      if (!changes_.empty() && at <= changes_.back())
        item.fail("must begin after the press before it has ended");
      changes_.push_back(at);
      changes_.push_back(at + length);
    }
  }

  void start() override {
    connect(0, false);
    if (!changes_.empty()) bench_.events.schedule(changes_[0], *this, kChange);
  }

  void due(Nanos now, uint64_t token) override {
    if (token != kChange) {
      if (token / kTokens == version_) connect(now, token % kTokens == kClosed);
      return;
    }
    const bool closed = next_ % 2 == 0;
    const Nanos following = ++next_ < changes_.size() ? changes_[next_] : kNever;
    press(now, closed, following);
    bench_.events.schedule(following, *this, kChange);
  }

  void facts(Facts& facts, Nanos end) const override {
    facts.count("presses", presses_);
    facts.count("edges", edges_);
    facts.micros("closed_us", closed_ns_ + (closed_ ? end - since_ : 0));
  }
  std::optional<unsigned> loose_pin() const override {
    const bool loose = to_ground_ && !resistor_ && !bench_.pins.driven_besides(driver_);
    return loose ? std::optional(pin_) : std::nullopt;
  }
  void live(Facts& facts, Nanos, Nanos) const override { facts.flag("pressed", pressed_); }

 private:
  enum Token : uint64_t { kChange, kOpen, kClosed };
  static constexpr uint64_t kTokens = 3;

  std::vector<Control> controls() const override { return {switched(pressed_, "pressed")}; }
  void turned(Nanos now, size_t, int64_t value) override {
    if ((value != 0) != pressed_) press(now, value != 0, kNever);
  }

  void press(Nanos now, bool closed, Nanos following) {
    pressed_ = closed;
    ++version_;  // ignore pending bounces of the change before
    connect(now, closed);
    if (closed) ++presses_;
    bounce(now, following, closed);
  }

  void bounce(Nanos now, Nanos following, bool closed) {
    bool state = closed;
    for (const Nanos instant : bounces(random_, now, std::min(bounce_, following - now))) {
      state = !state;
      bench_.events.schedule(instant, *this, kTokens * version_ + (state ? kClosed : kOpen));
    }
  }

  void connect(Nanos now, bool closed) {
    if (closed != closed_) {
      ++edges_;
      if (!closed) closed_ns_ += now - since_;
      since_ = now;
      closed_ = closed;
    }
    const Drive released = !resistor_ ? Drive::None : to_ground_ ? Drive::WeakHigh : Drive::WeakLow;
    bench_.pins.drive(now, driver_, !closed ? released : to_ground_ ? Drive::Low : Drive::High);
  }

  unsigned pin_;
  Pins::Driver driver_;
  Nanos bounce_;
  Random random_;
  bool to_ground_ = true, resistor_ = false;
  std::vector<Nanos> changes_;  // press, release, press, …
  size_t next_ = 0;
  bool pressed_ = false;  // the contact follows, and bounces
  uint64_t version_ = 0;
  bool closed_ = false;
  Nanos since_ = 0, closed_ns_ = 0;
  uint64_t presses_ = 0, edges_ = 0;
};

}  // namespace

std::unique_ptr<Part> make_button(Workbench& bench, Section& section) {
  return std::make_unique<Button>(bench, section);
}

}  // namespace hocket::sim
