#include "simulation/parts/mifare_card.h"

#include <algorithm>

namespace hocket::sim {
namespace {

constexpr uint8_t kCascadeTag = 0x88, kAcknowledge = 0x0a, kRefuse = 0x04;
constexpr uint8_t kReqa = 0x26, kWupa = 0x52, kHalt = 0x50, kRead = 0x30, kWrite = 0xa0;

bool sum_is_right(const std::vector<uint8_t>& frame) {
  if (frame.size() < 3) return false;
  const uint16_t sum = crc_a(frame.data(), frame.size() - 2);
  return frame[frame.size() - 2] == (sum & 0xff) && frame.back() == sum >> 8;
}

std::vector<uint8_t> with_sum(std::vector<uint8_t> bytes) {
  const uint16_t sum = crc_a(bytes.data(), bytes.size());
  bytes.push_back(static_cast<uint8_t>(sum));
  bytes.push_back(static_cast<uint8_t>(sum >> 8));
  return bytes;
}

MifareCard::Answer nibble(uint8_t value) {
  return {{value}, 4};
}

}  // namespace

uint16_t crc_a(const uint8_t* bytes, size_t size, uint16_t preset) {
  unsigned crc = preset;
  for (size_t i = 0; i < size; ++i) {
    crc ^= bytes[i];
    for (int bit = 0; bit < 8; ++bit) crc = (crc & 1) != 0 ? crc >> 1 ^ 0x8408 : crc >> 1;
  }
  return static_cast<uint16_t>(crc);
}

MifareCard::MifareCard(std::vector<uint8_t> uid) : uid_(std::move(uid)) {
  constexpr Block kTrailer{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x07,
                           0x80, 0x69, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
  for (unsigned sector = 0; sector < kBlocks / 4; ++sector) blocks_[4 * sector + 3] = kTrailer;
  std::copy(uid_.begin(), uid_.end(), blocks_[0].begin());
}

void MifareCard::leave() {
  state_ = State::Idle;
  was_halted_ = second_level_ = false;
  sector_.reset();
  writing_.reset();
}

std::optional<MifareCard::Answer> MifareCard::take(const std::vector<uint8_t>& frame,
                                                   unsigned bits) {
  if (frame.size() == 1 && bits == 7) {
    const bool wakes = frame[0] == kWupa || (frame[0] == kReqa && state_ != State::Halt);
    sector_.reset();
    writing_.reset();
    if (!wakes) return {};
    if (state_ == State::Ready || state_ == State::Active) {  // an unexpected command
      state_ = was_halted_ ? State::Halt : State::Idle;
      return {};
    }
    was_halted_ = state_ == State::Halt;
    state_ = State::Ready;
    second_level_ = false;
    return Answer{{static_cast<uint8_t>(uid_.size() > 4 ? 0x44 : 0x04), 0x00}};
  }
  if (state_ == State::Ready) return select(frame);
  if (state_ == State::Active) return command(frame);
  return {};
}

/// The four bytes of its number that this cascade level asks for, and their check byte.
std::array<uint8_t, 5> MifareCard::level() const {
  std::array<uint8_t, 5> bytes{};
  if (uid_.size() > 4 && !second_level_) {
    bytes[0] = kCascadeTag;
    std::copy_n(uid_.begin(), 3, bytes.begin() + 1);
  } else {
    std::copy_n(uid_.end() - 4, 4, bytes.begin());
  }
  bytes[4] = static_cast<uint8_t>(bytes[0] ^ bytes[1] ^ bytes[2] ^ bytes[3]);
  return bytes;
}

std::optional<MifareCard::Answer> MifareCard::select(const std::vector<uint8_t>& frame) {
  if (frame.size() < 2 || frame[0] != (second_level_ ? 0x95 : 0x93)) return {};
  const std::array<uint8_t, 5> mine = level();
  const size_t known = std::min<size_t>(frame.size() - 2, mine.size());
  if (!std::equal(mine.begin(), mine.begin() + static_cast<long>(known), frame.begin() + 2))
    return {};
  if (frame[1] != 0x70) {  // anticollision: the rest of the number
    const unsigned bytes = frame[1] >> 4;
    if (bytes < 2 || bytes - 2 != known || (frame[1] & 15) != 0) return {};
    return Answer{{mine.begin() + static_cast<long>(known), mine.end()}};
  }
  if (frame.size() != 9 || !sum_is_right(frame)) return {};
  const bool goes_on = uid_.size() > 4 && !second_level_;
  second_level_ = true;
  if (goes_on) return Answer{with_sum({0x04})};
  state_ = State::Active;
  ++selections;
  return Answer{with_sum({0x08})};
}

bool MifareCard::authenticate(bool key_b, unsigned block, const uint8_t* key) {
  sector_.reset();
  if (state_ != State::Active || block >= kBlocks) return false;
  const Block& trailer = blocks_[block / 4 * 4 + 3];
  if (!std::equal(key, key + kKeySize, trailer.begin() + (key_b ? 10 : 0))) {
    ++refused_keys;
    state_ = State::Idle;
    return false;
  }
  ++authentications;
  sector_ = block / 4;
  return true;
}

std::optional<MifareCard::Answer> MifareCard::command(const std::vector<uint8_t>& frame) {
  if (!sum_is_right(frame)) return {};
  if (writing_) {
    const unsigned number = *writing_;
    writing_.reset();
    if (frame.size() != kBlockSize + 2) return nibble(kRefuse);
    std::copy_n(frame.begin(), kBlockSize, blocks_[number].begin());
    ++writes;
    last_written = number;
    return nibble(kAcknowledge);
  }
  const unsigned number = frame[1];
  if (frame[0] == kHalt && number == 0) {
    state_ = State::Halt;
    sector_.reset();
    return {};
  }
  if (number >= kBlocks || !open(number)) return nibble(kRefuse);
  if (frame[0] == kRead) {
    ++reads;
    std::vector<uint8_t> bytes(blocks_[number].begin(), blocks_[number].end());
    if (number % 4 == 3) std::fill_n(bytes.begin(), kKeySize, uint8_t{0});  // key A cannot be read
    return Answer{with_sum(std::move(bytes))};
  }
  if (frame[0] == kWrite && number != 0) {
    writing_ = number;
    return nibble(kAcknowledge);
  }
  return nibble(kRefuse);
}

}  // namespace hocket::sim
