// A reader of contactless cards (MFRC522) on the SPI bus, and the card in front of it.
//
//   select ‾└───────────────────────────┐‾
//   out      R/W address×2   value…          in       —   value of the address before …
//
// Source: NXP MFRC522 data sheet, chapters 8 (SPI, FIFO, timer), 9 (registers), 10 (commands). A
// frame takes 9.44 µs a bit and the card's 86 µs; the timer starts when it has been sent.

#include <algorithm>
#include <array>
#include <cstdio>

#include "simulation/parts/mifare_card.h"
#include "simulation/parts/spi_device.h"

namespace hocket::sim {
namespace {

class Mfrc522 final : public SpiDevice {
 public:
  Mfrc522(Workbench& bench, Section& section)
      : SpiDevice(bench, section), card_(number_of(section)) {
    for (const Item& item : section.list("blocks")) {
      item.only({"block", "is"});
      const auto number = static_cast<unsigned>(item.number("block", 1, MifareCard::kBlocks - 1));
      const std::string bytes = item.text("is");
      if (bytes.size() > MifareCard::kBlockSize) item.fail("has more than 16 bytes");
      std::copy(bytes.begin(), bytes.end(), card_.block(number).begin());
    }
    for (const Item& item : section.list("present")) {
      item.only({"at", "for"});
      const auto at = static_cast<Nanos>(item.number("at", 0, kLongestTime));
      const auto length = static_cast<Nanos>(item.number("for", 1, kLongestTime));
      if (!changes_.empty() && at <= changes_.back())
        item.fail("must begin after the time before it has ended");
      changes_.push_back(at);
      changes_.push_back(at + length);
    }
    there_ = changes_.empty();
    reset();
  }

  void start() override {
    SpiDevice::start();
    if (!changes_.empty()) bench_.events.schedule(changes_[0], *this, kMoves);
  }

  void due(Nanos, uint64_t token) override {
    if (token == kMoves) {
      put(next_ % 2 == 0);
      if (++next_ < changes_.size()) bench_.events.schedule(changes_[next_], *this, kMoves);
    } else if (token / kTokens == version_) {
      done(token % kTokens == kTimer);
    }
  }

  void facts(Facts& facts, Nanos end) const override {
    SpiDevice::facts(facts, end);
    facts.text("uid", hex(card_.uid().data(), card_.uid().size()));
    facts.flag("present_at_end", there_);
    facts.count("selections", card_.selections);
    facts.count("authentications", card_.authentications);
    facts.count("refused_keys", card_.refused_keys);
    facts.count("blocks_read", card_.reads);
    facts.count("blocks_written", card_.writes);
    std::string written;
    if (card_.last_written)
      written = std::to_string(*card_.last_written) + ":" +
                hex(card_.block(*card_.last_written).data(), MifareCard::kBlockSize);
    facts.text("last_written", written);
  }
  void live(Facts& facts, Nanos, Nanos) const override {
    facts.flag("present", there_);
    facts.text("uid", hex(card_.uid().data(), card_.uid().size()));
    facts.count("selections", card_.selections);
  }

 private:
  enum Register : uint8_t {
    kCommand = 0x01,
    kComIrq = 0x04,
    kDivIrq = 0x05,
    kError = 0x06,
    kStatus2 = 0x08,
    kFifoData = 0x09,
    kFifoLevel = 0x0a,
    kControl = 0x0c,
    kBitFraming = 0x0d,
    kColl = 0x0e,
    kMode = 0x11,
    kTxMode = 0x12,
    kRxMode = 0x13,
    kTxControl = 0x14,
    kCrcHigh = 0x21,
    kCrcLow = 0x22,
    kTMode = 0x2a,
    kTPrescaler = 0x2b,
    kTReloadHigh = 0x2c,
    kTReloadLow = 0x2d,
    kVersion = 0x37,
    kRegisters = 0x40
  };
  enum Command : uint8_t {
    kIdle = 0,
    kCalculates = 3,
    kTransceives = 12,
    kAuthenticates = 14,
    kSoftReset = 15
  };
  enum Irq : uint8_t { kTimerIrq = 0x01, kIdleIrq = 0x10, kRxIrq = 0x20, kTxIrq = 0x40 };
  enum Token : uint64_t { kAnswers, kTimer, kMoves, kTokens };
  static constexpr size_t kFifo = 64;
  static constexpr uint8_t kSum = 0x80, kEncrypted = 0x08, kSends = 0x80, kFlush = 0x80;

  static std::vector<uint8_t> number_of(Section& section) {
    const std::string text = section.text_or("uid", "\xde\xad\xbe\xef");
    if (text.size() != 4 && text.size() != 7) section.fail("needs 4 or 7 bytes for its uid");
    return {text.begin(), text.end()};
  }
  static std::string hex(const uint8_t* bytes, size_t size) {
    std::string text;
    for (size_t i = 0; i < size; ++i) {
      char digits[4];
      std::snprintf(digits, sizeof digits, "%02x", bytes[i]);
      text += digits;
    }
    return text;
  }

  std::vector<Control> controls() const override { return {switched(there_, "present")}; }
  void turned(Nanos, size_t, int64_t value) override { put(value != 0); }
  void put(bool there) {
    there_ = there;
    if (!there) card_.leave();
  }

  void reset() {
    registers_.fill(0);
    registers_[kCommand] = 0x20;
    registers_[kComIrq] = 0x14;
    registers_[kControl] = 0x10;
    registers_[kColl] = 0x80;
    registers_[kMode] = 0x3f;
    registers_[kTxControl] = 0x80;
    registers_[kCrcHigh] = registers_[kCrcLow] = 0xff;
    registers_[kVersion] = 0x92;
    fifo_.clear();
    ++version_;
  }

  // --- the bus

  void selected(Nanos) override { address_.reset(); }
  uint8_t byte(Nanos now, uint8_t in) override {
    const bool named = address_.has_value();
    const auto number = static_cast<uint8_t>(in >> 1 & 0x3f);
    if (!named) {
      address_ = number;
      reads_ = (in & 0x80) != 0;
      return 0;
    }
    if (reads_) {
      const uint8_t value = read(*address_);
      address_ = number;
      return value;
    }
    write(now, *address_, in);
    return 0;
  }

  uint8_t read(uint8_t number) {
    if (number == kFifoLevel) return static_cast<uint8_t>(fifo_.size());
    if (number != kFifoData) return registers_[number];
    if (fifo_.empty()) return 0;
    const uint8_t value = fifo_.front();
    fifo_.erase(fifo_.begin());
    return value;
  }

  void write(Nanos now, uint8_t number, uint8_t value) {
    uint8_t& is = registers_[number];
    switch (number) {
      case kComIrq:
      case kDivIrq:  // the highest bit says whether the others are set or cleared
        is = static_cast<uint8_t>((value & 0x80) != 0 ? is | (value & 0x7f) : is & ~value);
        return;
      case kFifoData:
        if (fifo_.size() < kFifo) fifo_.push_back(value);
        return;
      case kFifoLevel:
        if ((value & kFlush) != 0) fifo_.clear();
        return;
      case kStatus2:  // encryption ends when its bit is written as 0; it cannot be set
        is = static_cast<uint8_t>(value & (is | ~kEncrypted));
        return;
      case kBitFraming:
        is = static_cast<uint8_t>(value & 0x7f);
        if ((value & kSends) != 0 && (registers_[kCommand] & 15) == kTransceives) send(now);
        return;
      case kCommand:
        is = static_cast<uint8_t>(value & 0x3f);
        return begin(now, value & 15);
      case kError:
      case kVersion:
        return;
      default:
        is = value;
    }
  }

  // --- commands

  void begin(Nanos now, unsigned command) {
    ++version_;
    if (command == kSoftReset) {
      reset();
    } else if (command == kCalculates) {
      constexpr std::array<uint16_t, 4> kPresets{0x0000, 0x6363, 0xa671, 0xffff};
      const uint16_t sum = crc_a(fifo_.data(), fifo_.size(), kPresets[registers_[kMode] & 3]);
      fifo_.clear();
      registers_[kCrcLow] = static_cast<uint8_t>(sum);
      registers_[kCrcHigh] = static_cast<uint8_t>(sum >> 8);
      registers_[kDivIrq] |= 0x04;
    } else if (command == kAuthenticates) {
      authenticate(now);
    }
  }

  bool reaches() const { return there_ && (registers_[kTxControl] & 3) == 3; }
  static Nanos of_bits(size_t bits) { return bits * 9'440; }

  /// How long the timer runs (8.5), from the end of the transmission.
  std::optional<Nanos> timer() const {
    if ((registers_[kTMode] & 0x80) == 0) return {};
    const unsigned prescaler = (registers_[kTMode] & 15u) << 8 | registers_[kTPrescaler];
    const unsigned reload = registers_[kTReloadHigh] << 8u | registers_[kTReloadLow];
    return Nanos{reload + 1} * (2 * prescaler + 1) * 1'000'000 / 13'560;
  }

  void wait_for(Nanos now, size_t sent_bits, size_t answer_bits) {
    registers_[kComIrq] |= kTxIrq;
    const Nanos sent = now + of_bits(sent_bits);
    if (answer_bits > 0)
      bench_.events.schedule(sent + 86'000 + of_bits(answer_bits), *this,
                             kTokens * version_ + kAnswers);
    else if (const auto runs = timer())
      bench_.events.schedule(sent + *runs, *this, kTokens * version_ + kTimer);
  }

  void send(Nanos now) {
    ++version_;
    std::vector<uint8_t> frame;
    frame.swap(fifo_);
    const unsigned bits = registers_[kBitFraming] & 7;
    if ((registers_[kTxMode] & kSum) != 0 && bits == 0) {
      const uint16_t sum = crc_a(frame.data(), frame.size());
      frame.push_back(static_cast<uint8_t>(sum));
      frame.push_back(static_cast<uint8_t>(sum >> 8));
    }
    coming_.reset();
    if (reaches() && !frame.empty()) coming_ = card_.take(frame, bits);
    const size_t sent = frame.empty() ? 0 : 9 * (frame.size() - 1) + (bits == 0 ? 9 : bits);
    wait_for(now, sent, coming_ ? 9 * coming_->bytes.size() : 0);
  }

  void authenticate(Nanos now) {
    constexpr size_t kOfAuthentication = 12;
    registers_[kStatus2] = static_cast<uint8_t>(registers_[kStatus2] & ~kEncrypted);
    coming_.reset();
    std::vector<uint8_t> asked;
    asked.swap(fifo_);
    const bool right = asked.size() >= kOfAuthentication && reaches() &&
                       std::equal(asked.begin() + 8, asked.begin() + 12, card_.uid().end() - 4) &&
                       card_.authenticate(asked[0] == 0x61, asked[1], asked.data() + 2);
    lets_in_ = right;
    wait_for(now, 9 * 4, right ? 9 * 12 : 0);
  }

  void done(bool by_timer) {
    ++version_;
    if (by_timer) {
      registers_[kComIrq] |= kTimerIrq;
      return;
    }
    if ((registers_[kCommand] & 15) == kAuthenticates) {
      if (std::exchange(lets_in_, false)) registers_[kStatus2] |= kEncrypted;
      registers_[kCommand] = static_cast<uint8_t>(registers_[kCommand] & ~15u);
      registers_[kComIrq] |= kIdleIrq;
      return;
    }
    if (!coming_) return;
    std::vector<uint8_t> bytes = coming_->bytes;
    if ((registers_[kRxMode] & kSum) != 0 && bytes.size() > 2) bytes.resize(bytes.size() - 2);
    fifo_.insert(fifo_.end(), bytes.begin(), bytes.end());
    registers_[kControl] = static_cast<uint8_t>((registers_[kControl] & ~7u) | coming_->last_bits);
    registers_[kColl] = static_cast<uint8_t>(registers_[kColl] | 0x20);  // there was no collision
    registers_[kComIrq] |= kRxIrq;
    coming_.reset();
  }

  MifareCard card_;
  std::vector<Nanos> changes_;  // comes, leaves, comes, …
  size_t next_ = 0;
  bool there_ = true;
  std::array<uint8_t, kRegisters> registers_{};
  std::vector<uint8_t> fifo_;
  std::optional<uint8_t> address_;
  bool reads_ = false, lets_in_ = false;
  std::optional<MifareCard::Answer> coming_;
  uint64_t version_ = 0;
};

}  // namespace

std::unique_ptr<Part> make_mfrc522(Workbench& bench, Section& section) {
  return std::make_unique<Mfrc522>(bench, section);
}

}  // namespace hocket::sim
