// How a core reaches RAM, in line: three of four accesses end here.
#pragma once

#include <cstring>

#include "simulation/rp2040/core/core.h"

namespace hocket::rp2040 {

inline void Core::touch(uint32_t address) {
  const uint32_t waits = memory_.wait(index_, address - kRamBase, cycle_ + spent_);
  spent_ += waits;
  waited_ += waits;
}

/// Two instructions come with one access to the bus, unless the first one jumps.
inline bool Core::fetch(uint32_t address, uint32_t& halfword) {
  const uint32_t offset = address - kRamBase;
  if (offset >= kRamSize) [[unlikely]]
    return fetch_elsewhere(address, halfword);
  if ((map_[offset >> Mpu::kGranuleBits] & kExecute) == 0) [[unlikely]] {
    return refuse(Fault::Kind::NoExecute, address);
  }
  if ((address & 2) == 0 || jumped_) touch(address);
  uint16_t code;
  std::memcpy(&code, ram_ + offset, sizeof code);
  halfword = code;
  return true;
}

template <class T>
bool Core::load(uint32_t address, uint32_t& value) {
  const uint32_t offset = address - kRamBase;
  if (offset >= kRamSize || address % sizeof(T) != 0 ||
      (map_[offset >> Mpu::kGranuleBits] & kRead) == 0) [[unlikely]] {
    return load_elsewhere(address, sizeof(T), value);
  }
  touch(address);
  spent_ += cost::kTransfer;
  T bytes;
  std::memcpy(&bytes, ram_ + offset, sizeof bytes);
  value = bytes;
  return true;
}

template <class T>
bool Core::store(uint32_t address, uint32_t value) {
  const uint32_t offset = address - kRamBase;
  if (offset >= kRamSize || address % sizeof(T) != 0 ||
      (map_[offset >> Mpu::kGranuleBits] & kWrite) == 0) [[unlikely]] {
    return store_elsewhere(address, sizeof(T), value);
  }
  touch(address);
  spent_ += cost::kTransfer;
  const auto bytes = static_cast<T>(value);
  std::memcpy(ram_ + offset, &bytes, sizeof bytes);
  return true;
}

}  // namespace hocket::rp2040
