// A light-emitting diode: how often and how long it was lit.
//
// Between pin and ground it lights when the pin is high; between supply and pin (`lit_when: low`)
// when the pin is low, and then it pulls an undriven pin up, so that a floating pin leaves it dark.

#include "simulation/parts/part.h"

namespace hocket::sim {
namespace {

class Led final : public Part {
 public:
  Led(Workbench& bench, Section& section) : Part(bench, section), pin_(section.pin("pin")) {
    active_high_ = section.choice_or("lit_when", 1, {"low", "high"}) == 1;
    if (section.has("colour")) colour_ = section.word("colour");
    listen(pin_, 0, "pin");
    if (!active_high_) pull_up_ = bench.pins.add_driver(pin_, false);
  }

  void start() override {
    if (pull_up_) bench_.pins.drive(0, *pull_up_, Drive::WeakHigh);
    lit_ = bench_.pins.level(pin_) == active_high_;
    edges_ = 0;
    if (lit_) first_on_ = 0;
  }

  void level_changed(Nanos now, unsigned, bool high) override {
    const bool lit = high == active_high_;
    ++edges_;
    if (lit && !first_on_) first_on_ = now;
    if (!lit) on_ns_ += now - since_;
    lit_ = lit;
    since_ = now;
  }

  void facts(Facts& facts, Nanos end) const override {
    const Nanos on = on_ns_ + (lit_ ? end - since_ : 0);
    facts.count("edges", edges_);
    facts.micros("on_us", on);
    facts.micros("first_on_us", first_on_);
    facts.flag("lit_at_end", lit_);
    const auto brightness = static_cast<unsigned __int128>(on) * 100'000 / (end == 0 ? 1 : end);
    facts.fixed("mean_brightness_percent", static_cast<int64_t>(brightness), 3);
  }
  /// The share is that of the time since the last look.
  void live(Facts& facts, Nanos now, Nanos since) const override {
    facts.flag("lit", lit_);
    if (!colour_.empty()) facts.text("colour", colour_);
    const Nanos on = on_ns_ + (lit_ ? now - since_ : 0);
    const unsigned __int128 lit = on - std::exchange(seen_on_ns_, on);
    facts.fixed("share",
                now > since ? static_cast<int64_t>(lit * 10'000 / (now - since))
                            : int64_t{lit_ ? 10'000 : 0},
                4);
  }

 private:
  unsigned pin_;
  bool active_high_ = true;
  std::string colour_;  // of its case; only displayed
  std::optional<Pins::Driver> pull_up_;
  bool lit_ = false;
  Nanos since_ = 0, on_ns_ = 0;
  std::optional<Nanos> first_on_;
  uint64_t edges_ = 0;
  mutable Nanos seen_on_ns_ = 0;  // at the last look: of it alone
};

}  // namespace

std::unique_ptr<Part> make_led(Workbench& bench, Section& section) {
  return std::make_unique<Led>(bench, section);
}

}  // namespace hocket::sim
