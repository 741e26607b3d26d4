// A contactless card as seen by a reader: ISO/IEC 14443-3 type A, and of MIFARE Classic 1K the
// authentication and the reading and writing of blocks.
//
//   idle ── REQA ──► ready ── anticollision, select (twice with 7 bytes) ──► active ── HLTA ──► halt
//
// The data is not encrypted, because a reader chip shows its program the plain bytes. Access bits
// of the sectors are stored and not enforced.
//
// Source: ISO/IEC 14443-3, chapter 6; NXP MF1S50YYX data sheet, chapters 8 to 12.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace hocket::sim {

/// CRC_A (ISO/IEC 14443-3, annex B): x^16 + x^12 + x^5 + 1, the lowest bit first.
uint16_t crc_a(const uint8_t* bytes, size_t size, uint16_t preset = 0x6363);

class MifareCard {
 public:
  static constexpr unsigned kBlocks = 64, kBlockSize = 16, kKeySize = 6;
  using Block = std::array<uint8_t, kBlockSize>;

  /// Four or seven bytes of its number.
  explicit MifareCard(std::vector<uint8_t> uid);

  struct Answer {
    std::vector<uint8_t> bytes;
    unsigned last_bits = 0;  // of the last byte; 0: all
  };
  /// Processes a frame from the reader; `bits`: bits of its last byte, 0: all. nullopt: no answer.
  std::optional<Answer> take(const std::vector<uint8_t>& frame, unsigned bits);
  /// Whether the key opens the block's sector.
  bool authenticate(bool key_b, unsigned block, const uint8_t* key);
  /// The card has left the field.
  void leave();

  Block& block(unsigned number) { return blocks_[number]; }
  const Block& block(unsigned number) const { return blocks_[number]; }
  const std::vector<uint8_t>& uid() const { return uid_; }
  bool active() const { return state_ == State::Active; }

  uint64_t selections = 0, reads = 0, writes = 0, refused_keys = 0, authentications = 0;
  std::optional<unsigned> last_written;

 private:
  enum class State : uint8_t { Idle, Ready, Active, Halt };

  std::optional<Answer> select(const std::vector<uint8_t>& frame);
  std::optional<Answer> command(const std::vector<uint8_t>& frame);
  std::array<uint8_t, 5> level() const;
  bool open(unsigned block) const { return sector_ && *sector_ == block / 4; }

  std::vector<uint8_t> uid_;
  std::array<Block, kBlocks> blocks_{};
  State state_ = State::Idle;
  bool second_level_ = false, was_halted_ = false;
  std::optional<unsigned> sector_, writing_;
};

}  // namespace hocket::sim
