// An infrared LED at a pin, and the frames that a television would decode.
//
// Edges from 30 to 60 kHz apart are the carrier; when none has come for 200 µs the light was on
// until then. Frames are those of NEC (nec.h).

#include <cstdio>

#include "simulation/parts/exact_math.h"
#include "simulation/parts/nec.h"
#include "simulation/parts/part.h"

namespace hocket::sim {
namespace {

class IrLed final : public Part {
 public:
  IrLed(Workbench& bench, Section& section) : Part(bench, section) {
    listen(section.pin("pin"), 0, "pin");
  }

  void level_changed(Nanos now, unsigned, bool high) override {
    if (!high) {
      fell_ = now;
      bench_.events.schedule(now + kPause, *this, ++version_);
      return;
    }
    ++version_;
    const Nanos period = now - rose_;
    rose_ = now;
    if (on_ && period >= kShortest && period <= kLongest) {
      ++periods_;
      carrier_ns_ += period;
    } else if (!on_) {
      on_ = true;
      began_ = now;
    }
  }

  /// The light is off: there was a mark from `began_` until `fell_`.
  void due(Nanos, uint64_t token) override {
    if (token != version_ || !on_) return;
    on_ = false;
    ++marks_;
    const std::optional<NecFrame> frame = reader_.mark(began_ - ended_, fell_ - began_);
    ended_ = fell_;
    if (!frame) return;
    if (frame->repeat) {
      ++repeats_;
      return;
    }
    ++frames_;
    last_ = *frame;
    if (frames_ > kShown) return;
    char text[32];
    std::snprintf(text, sizeof text, "%s%02x:%02x", sent_.empty() ? "" : " ",
                  unsigned{frame->address}, unsigned{frame->command});
    sent_ += text;
  }

  void facts(Facts& facts, Nanos) const override {
    facts.count("frames", frames_);
    facts.count("repeats", repeats_);
    facts.count("broken_frames", reader_.broken());
    facts.count("marks", marks_);
    facts.fixed("carrier_hz",
                periods_ > 0 ? std::optional(exact::rounded(1e10 * static_cast<double>(periods_) /
                                                            static_cast<double>(carrier_ns_)))
                             : std::nullopt,
                1);
    const bool any = frames_ > 0;
    facts.fixed("last_address", any ? std::optional(int64_t{last_.address}) : std::nullopt, 0);
    facts.fixed("last_command", any ? std::optional(int64_t{last_.command}) : std::nullopt, 0);
    facts.text("sent", sent_);
  }
  void live(Facts& facts, Nanos, Nanos) const override {
    facts.flag("lit", on_);
    facts.text("sent", sent_);
  }

 private:
  static constexpr Nanos kPause = 200'000, kShortest = 16'000, kLongest = 34'000;
  static constexpr uint64_t kShown = 64;

  NecReader reader_;
  bool on_ = false;
  Nanos rose_ = 0, fell_ = 0, began_ = 0, ended_ = 0, carrier_ns_ = 0;
  uint64_t version_ = 0, periods_ = 0, marks_ = 0, frames_ = 0, repeats_ = 0;
  NecFrame last_;
  std::string sent_;
};

}  // namespace

std::unique_ptr<Part> make_ir_led(Workbench& bench, Section& section) {
  return std::make_unique<IrLed>(bench, section);
}

}  // namespace hocket::sim
