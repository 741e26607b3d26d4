// A relay module: its contact follows its input after the relay's operate time, and bounces.
//
// Source: Songle SRD-05VDC-SL-C data sheet (operate time 10 ms, release time 5 ms at most).

#include "simulation/parts/contact.h"
#include "simulation/parts/part.h"

namespace hocket::sim {
namespace {

class Relay final : public Part {
 public:
  Relay(Workbench& bench, Section& section)
      : Part(bench, section),
        pin_(section.pin("pin")),
        active_high_(section.choice_or("on_when", 1, {"low", "high"}) == 1),
        operates_(section.time_or("operate_time", 10'000'000)),
        releases_(section.time_or("release_time", 5'000'000)),
        bounce_(static_cast<Nanos>(section.number_or("bounce", 0, 0, 100'000'000))),
        random_(bench.seed, section.name()),
        wave_(bench.waves.wire(section.name(), "closed", 2, '0')) {
    listen(pin_, 0, "pin");
    if (!active_high_) pull_up_ = bench.pins.add_driver(pin_, /*main=*/false);
    if (section.has("contact")) contact_ = claim(section, section.pin("contact"), "contact");
  }

  void start() override {
    if (pull_up_) bench_.pins.drive(0, *pull_up_, Drive::WeakHigh);
    on_ = bench_.pins.level(pin_) == active_high_;
    set(0, on_);
    touch_contact(0, on_);
  }

  void level_changed(Nanos now, unsigned, bool high) override {
    const bool on = high == active_high_;
    if (on == on_) return;
    on_ = on;
    // An input that changes back before the armature has moved has no effect.
    if (on == closed_) ++too_short_;
    bench_.events.schedule(now + (on ? operates_ : releases_), *this,
                           ++version_ * kTokens + kMoves);
  }

  void due(Nanos now, uint64_t token) override {
    if (token / kTokens != version_) return;
    if (token % kTokens != kMoves) return touch_contact(now, token % kTokens == kCloses);
    if (closed_ == on_) return;
    set(now, on_);
    ++switches_;
    touch_contact(now, on_);
    bool state = on_;
    for (const Nanos instant : bounces(random_, now, bounce_)) {
      state = !state;
      bench_.events.schedule(instant, *this, version_ * kTokens + (state ? kCloses : kOpens));
    }
  }

  void facts(Facts& facts, Nanos end) const override {
    facts.count("switches", switches_);
    facts.count("too_short", too_short_);
    facts.flag("closed_at_end", closed_);
    facts.micros("closed_us", closed_ns_ + (closed_ ? end - since_ : 0));
    facts.micros("first_closed_us", first_);
  }
  void live(Facts& facts, Nanos, Nanos) const override { facts.flag("closed", closed_); }

 private:
  enum Token : uint64_t { kMoves, kOpens, kCloses };
  static constexpr uint64_t kTokens = 3;

  void set(Nanos now, bool closed) {
    if (closed_ && !closed) closed_ns_ += now - since_;
    if (closed && !first_) first_ = now;
    closed_ = closed;
    since_ = now;
    bench_.waves.set(now, wave_, closed ? '1' : '0');
  }
  void touch_contact(Nanos now, bool closed) {
    if (contact_) bench_.pins.drive(now, *contact_, closed ? Drive::Low : Drive::None);
  }

  unsigned pin_;
  bool active_high_;
  Nanos operates_, releases_, bounce_;
  Random random_;
  Waves::Signal wave_;
  std::optional<Pins::Driver> pull_up_, contact_;
  bool on_ = false, closed_ = false;
  uint64_t version_ = 0;
  Nanos since_ = 0, closed_ns_ = 0;
  std::optional<Nanos> first_;
  uint64_t switches_ = 0, too_short_ = 0;
};

}  // namespace

std::unique_ptr<Part> make_relay(Workbench& bench, Section& section) {
  return std::make_unique<Relay>(bench, section);
}

}  // namespace hocket::sim
