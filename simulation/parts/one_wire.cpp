// A device on a 1-Wire bus: see one_wire.h.

#include "simulation/parts/one_wire.h"

namespace hocket::sim {
namespace {

// The data sheet says 480; a board's delay may be off by some microseconds.
constexpr Nanos kShortestReset = 470'000;
constexpr Nanos kPresenceAfter = 30'000, kPresenceLasts = 120'000;
constexpr Nanos kLooksAfter = 30'000, kHolds = 30'000;

constexpr uint8_t kSearch = 0xf0, kAlarmSearch = 0xec, kReadRom = 0x33, kMatchRom = 0x55,
                  kSkipRom = 0xcc;
constexpr unsigned kRomBits = 64;

}  // namespace

OneWireDevice::OneWireDevice(Workbench& bench, Section& section, uint8_t family)
    : Part(bench, section),
      pin_(section.pin("pin")),
      resistor_(section.choice_or("resistor", 1, {"false", "true"}) == 1) {
  wire_ = bench.pins.add_driver(pin_, /*main=*/false);
  listen(pin_, 0, "pin");
  std::string number = section.text_or("number", "");
  if (number.empty()) {
    Random random(0, section.name());
    for (unsigned byte = 0; byte < 6; ++byte) number += static_cast<char>(random.between(0, 0xff));
  }
  if (number.size() != 6) section.fail("needs six bytes for its number");
  rom_[0] = family;
  for (unsigned byte = 0; byte < 6; ++byte) rom_[1 + byte] = static_cast<uint8_t>(number[byte]);
  rom_[7] = crc8(rom_.data(), 7);
}

void OneWireDevice::link() {
  for (const auto& [name, part] : bench_.parts) {
    const auto* other = dynamic_cast<OneWireDevice*>(part);
    if (other == nullptr || other == this || !bench_.pins.joined(pin_, other->pin_)) continue;
    if (other->rom_ == rom_) fail("has the number of " + name + ", which is on the same wire");
  }
}

/// Maxim's, x^8 + x^5 + x^4 + 1, the lowest bit first (application note 27).
uint8_t OneWireDevice::crc8(const uint8_t* bytes, size_t size) {
  unsigned crc = 0;
  for (size_t byte = 0; byte < size; ++byte) {
    crc ^= bytes[byte];
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ ((crc & 1) != 0 ? 0x8c : 0);
  }
  return static_cast<uint8_t>(crc);
}

void OneWireDevice::let_go(Nanos now) {
  bench_.pins.drive(now, wire_, resistor_ ? Drive::WeakHigh : Drive::None);
}

void OneWireDevice::level_changed(Nanos now, unsigned, bool high) {
  if (!high) {
    fell_ = now;
    if (state_ != State::Presence) slot(now);
  } else if (now - fell_ >= kShortestReset) {
    ++resets_;
    state_ = State::Presence;
    bench_.events.schedule(now + kPresenceAfter, *this, kPresence);
  }
}

void OneWireDevice::due(Nanos now, uint64_t token) {
  switch (token) {
    case kPresence:
      bench_.pins.drive(now, wire_, Drive::Low);
      bench_.events.schedule(now + kPresenceLasts, *this, kPresent);
      break;
    case kPresent:
      state_ = State::Rom;
      bits_ = byte_ = 0;
      let_go(now);
      break;
    case kLook:
      if (looks_ && state_ != State::Presence) received(now, bench_.pins.level(pin_));
      looks_ = false;
      break;
    case kRelease:
      if (state_ != State::Presence) let_go(now);
      break;
    default:
      break;
  }
}

/// The controller has begun a slot, to write or to read a bit.
void OneWireDevice::slot(Nanos now) {
  bool one = true;
  looks_ = false;
  switch (state_) {
    case State::Silent:
    case State::Presence:
      return;
    case State::Search:
      if (turn_ < 2) {
        one = own_bit(bits_) == (turn_ == 0);
        ++turn_;
        break;
      }
      [[fallthrough]];
    case State::Rom:
    case State::Match:
    case State::Function:
    case State::Take:
      looks_ = true;
      bench_.events.schedule(now + kLooksAfter, *this, kLook);
      return;
    case State::Asked:
      one = ready(now);
      break;
    case State::Give:
      one = bits_ >= 8 * bytes_.size() || (bytes_[bits_ / 8] >> bits_ % 8 & 1) != 0;
      ++bits_;
      break;
  }
  if (one) return;
  bench_.pins.drive(now, wire_, Drive::Low);
  bench_.events.schedule(now + kHolds, *this, kRelease);
}

void OneWireDevice::received(Nanos now, bool bit) {
  if (state_ == State::Search) return searched(now, bit);
  if (state_ == State::Match) {
    if (bit != own_bit(bits_)) state_ = State::Silent;
    if (++bits_ < kRomBits) return;
    if (state_ == State::Match) ++chosen_, state_ = State::Function;
    bits_ = byte_ = 0;
    return;
  }
  byte_ = byte_ >> 1 | (bit ? 0x80u : 0);
  if (++bits_ < 8) return;
  const auto byte = static_cast<uint8_t>(byte_);
  bits_ = byte_ = 0;
  switch (state_) {
    case State::Rom:
      return rom_command(now, byte);
    case State::Function:
      bytes_.clear();
      state_ = State::Asked;  // unless the command returns data
      expected_ = command(now, byte);
      if (expected_ > 0) state_ = State::Take;
      return;
    case State::Take:
      bytes_.push_back(byte);
      if (bytes_.size() < expected_) return;
      state_ = State::Silent;
      return told(now, bytes_);
    default:
      return;
  }
}

void OneWireDevice::rom_command(Nanos now, uint8_t code) {
  turn_ = 0;
  switch (code) {
    case kReadRom:
      ++chosen_;
      return give({rom_.begin(), rom_.end()});
    case kMatchRom:
      state_ = State::Match;
      return;
    case kSkipRom:
      ++chosen_;
      state_ = State::Function;
      return;
    case kSearch:
      state_ = State::Search;
      return;
    case kAlarmSearch:
      state_ = alarmed(now) ? State::Search : State::Silent;
      return;
    default:
      state_ = State::Silent;
  }
}

/// The controller has chosen a bit of the search: a device with the other bit drops out.
void OneWireDevice::searched(Nanos, bool bit) {
  turn_ = 0;
  if (bit != own_bit(bits_)) {
    state_ = State::Silent;
  } else if (++bits_ == kRomBits) {
    ++chosen_;
    bits_ = byte_ = 0;
    state_ = State::Function;
  }
}

void OneWireDevice::give(Bytes bytes) {
  bytes_ = std::move(bytes);
  bits_ = 0;
  state_ = State::Give;
}

void OneWireDevice::facts(Facts& facts, Nanos) const {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string rom;
  for (const uint8_t byte : rom_) {
    rom += kDigits[byte >> 4];
    rom += kDigits[byte & 15];
  }
  facts.text("rom", rom);
  facts.count("resets", resets_);
  facts.count("chosen", chosen_);
}

}  // namespace hocket::sim
