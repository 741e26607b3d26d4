// The board's EEPROM: bytes that are kept without power. Erased bytes are 255.
//
// It starts erased, unless a part `eeprom` provides its content (parts/eeprom.cpp).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace hocket::sim {

class Eeprom {
 public:
  static constexpr size_t kSize = 4096;  // an Arduino Mega's

  Eeprom() { bytes_.fill(0xff); }

  uint8_t read(size_t address) {
    ++reads_;
    return address < kSize ? bytes_[address] : 0xff;
  }
  void write(size_t address, uint8_t value) {
    if (address >= kSize) return;
    bytes_[address] = value;
    ++writes_;
    if (++worn_[address] > most_writes_) most_writes_ = worn_[address];
  }

  std::array<uint8_t, kSize>& bytes() { return bytes_; }
  uint64_t reads() const { return reads_; }
  uint64_t writes() const { return writes_; }
  /// The number of writes of the most often written byte; each byte lasts for about 100,000.
  uint64_t most_writes() const { return most_writes_; }

 private:
  std::array<uint8_t, kSize> bytes_;
  std::array<uint32_t, kSize> worn_{};
  uint64_t reads_ = 0, writes_ = 0, most_writes_ = 0;
};

}  // namespace hocket::sim
