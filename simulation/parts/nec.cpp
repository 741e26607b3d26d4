#include "simulation/parts/nec.h"

namespace hocket::sim {
namespace {
constexpr Nanos kLead = 9'000'000, kLeadOff = 4'500'000, kRepeatOff = 2'250'000;
constexpr Nanos kMark = 562'500, kZero = 562'500, kOne = 1'687'500;
constexpr unsigned kNecBits = 32;
}  // namespace

std::vector<Nanos> nec_times(const NecFrame& frame) {
  if (frame.repeat) return {kLead, kRepeatOff, kMark};
  const uint32_t address =
      frame.address > 0xff ? frame.address : frame.address | (~frame.address & 0xffu) << 8;
  const uint32_t command = frame.command | (~uint32_t{frame.command} & 0xff) << 8;
  const uint32_t value = address | command << 16;
  std::vector<Nanos> times{kLead, kLeadOff};
  for (unsigned bit = 0; bit < kNecBits; ++bit) {
    times.push_back(kMark);
    times.push_back((value >> bit & 1) != 0 ? kOne : kZero);
  }
  times.push_back(kMark);
  return times;
}

std::optional<NecFrame> NecReader::mark(Nanos off, Nanos on) {
  if (near(on, kLead)) {
    if (bits_ != kIdle) ++broken_;
    bits_ = 0;
    value_ = 0;
    return {};
  }
  if (bits_ == kIdle) return {};
  const bool first = bits_ == 0;
  if (!near(on, kMark)) {
    ++broken_;
    bits_ = kIdle;
    return {};
  }
  if (first && near(off, kRepeatOff)) {
    bits_ = kIdle;
    return NecFrame{.repeat = true};
  }
  // The first mark follows the leader; each other one ends a bit's pause.
  const bool right = first ? near(off, kLeadOff) : near(off, kZero) || near(off, kOne);
  if (!right) {
    ++broken_;
    bits_ = kIdle;
    return {};
  }
  if (!first) value_ |= static_cast<uint32_t>(near(off, kOne)) << (bits_ - 1);
  if (bits_++ < kNecBits) return {};
  bits_ = kIdle;
  const auto low = static_cast<uint8_t>(value_), high = static_cast<uint8_t>(value_ >> 8);
  const auto command = static_cast<uint8_t>(value_ >> 16);
  if (static_cast<uint8_t>(~command) != value_ >> 24) {
    ++broken_;
    return {};
  }
  const bool short_address = static_cast<uint8_t>(~low) == high;
  return NecFrame{.address = static_cast<uint16_t>(short_address ? low : low | high << 8),
                  .command = command};
}

}  // namespace hocket::sim
