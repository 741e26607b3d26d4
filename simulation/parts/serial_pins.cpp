// A device that speaks a serial line at any two pins, as a module for SoftwareSerial does: its
// script is that of the part `serial` (serial_script.h), its line has eight bits and no parity.
//
//   idle ‾‾‾└start┘ bit 0 … bit 7 ┘‾stop‾‾‾     (all upside down with `inverted`)
//
// A byte's edges are at start + n / baud (rounded down to a nanosecond, never summed up). What it
// hears it looks at in the middle of each bit. A byte whose stop bit is not there is broken and is
// not heard; the next one begins with an edge after the line was idle.

#include "simulation/parts/part.h"
#include "simulation/parts/serial_script.h"

namespace hocket::sim {
namespace {

constexpr int64_t kSlowest = 300, kFastest = 1'000'000;  // bits a second
constexpr uint64_t kSecond = 1'000'000'000;
constexpr unsigned kFrame = 10;  // bits: start, eight of the byte, stop

constexpr uint64_t kSends = SerialScript::kTokens, kHears = kSends + 1;

class SerialPins final : public Part {
 public:
  SerialPins(Workbench& bench, Section& section)
      : Part(bench, section),
        baud_(static_cast<uint64_t>(section.number("baud", kSlowest, kFastest))),
        script_(section) {
    inverted_ = section.choice_or("inverted", 0, {"false", "true"}) == 1;
    if (!section.has("tx") && !section.has("rx")) section.fail("needs tx, rx or both");
    const bool sends = section.has("tx");
    if (section.has("send") && !sends) section.fail("needs tx to send");
    if (sends) tx_ = claim(section, section.pin("tx"), "tx");
    if (!section.has("rx")) {
      if (section.has("expect")) section.fail("needs rx to hear what it expects");
      return;
    }
    rx_ = section.pin("rx");
    if (sends && bench.pins.joined(*rx_, section.pin("tx")))
      section.fail("has tx and rx on one wire");
    listen(*rx_, 0, "rx");
  }

  void start() override {
    put(0, true);
    script_.start(bench_.events, *this);
  }

  void due(Nanos now, uint64_t token) override {
    if (token == kSends) return send_bit(now);
    if (token == kHears) return hear_bit(now);
    const std::string& text = script_.due(token);
    queued_.insert(queued_.end(), text.begin(), text.end());
    if (!sending_) begin_byte(now);
  }

  void level_changed(Nanos now, unsigned, bool high) override {
    if (hearing_ || high != inverted_) return;  // only the beginning of a start bit counts
    hearing_ = true;
    heard_at_ = now;
    bit_heard_ = 0;
    bits_heard_ = 0;
    bench_.events.schedule(middle(0), *this, kHears);
  }

  void facts(Facts& facts, Nanos) const override {
    script_.facts(facts);
    facts.count("broken_bytes", broken_);
    facts.count("short_starts", short_starts_);
  }

 private:
  Nanos after(Nanos begin, unsigned half_bits) const {
    return begin + half_bits * kSecond / (2 * baud_);
  }
  Nanos middle(unsigned bit) const { return after(heard_at_, 2 * bit + 1); }

  void put(Nanos now, bool one) {
    if (tx_) bench_.pins.drive(now, *tx_, one != inverted_ ? Drive::High : Drive::Low);
  }

  void begin_byte(Nanos now) {
    sending_ = true;
    sent_at_ = now;
    bit_sent_ = 0;
    // The stop bit is above, the start bit below.
    bits_ = (uint32_t{1} << 9) | (uint32_t{static_cast<uint8_t>(queued_.front())} << 1);
    queued_.pop_front();
    send_bit(now);
  }

  void send_bit(Nanos now) {
    if (bit_sent_ == kFrame) {
      sending_ = false;
      if (!queued_.empty()) begin_byte(now);
      return;
    }
    put(now, (bits_ >> bit_sent_ & 1) != 0);
    ++bit_sent_;
    bench_.events.schedule(after(sent_at_, 2 * bit_sent_), *this, kSends);
  }

  void hear_bit(Nanos now) {
    const bool one = bench_.pins.level(*rx_) != inverted_;
    if (bit_heard_ == 0 && one) {
      ++short_starts_;
      hearing_ = false;
      return;
    }
    if (bit_heard_ + 1 < kFrame) {
      bits_heard_ |= uint32_t{one} << bit_heard_;
      bench_.events.schedule(middle(++bit_heard_), *this, kHears);
      return;
    }
    hearing_ = false;
    if (one)
      script_.hear(now, static_cast<uint8_t>(bits_heard_ >> 1), bench_.events, *this);
    else
      ++broken_;
  }

  uint64_t baud_;
  bool inverted_ = false;
  SerialScript script_;
  std::optional<Pins::Driver> tx_;
  std::optional<unsigned> rx_;
  std::deque<char> queued_;
  bool sending_ = false, hearing_ = false;
  Nanos sent_at_ = 0, heard_at_ = 0;  // beginnings of start bits
  uint32_t bits_ = 0, bits_heard_ = 0;
  unsigned bit_sent_ = 0, bit_heard_ = 0;
  uint64_t broken_ = 0, short_starts_ = 0;
};

}  // namespace

std::unique_ptr<Part> make_serial_pins(Workbench& bench, Section& section) {
  return std::make_unique<SerialPins>(bench, section);
}

}  // namespace hocket::sim
