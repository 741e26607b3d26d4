#ifndef __AVR__
#include "SPI.h"

#include "arduino/runtime/system.h"

namespace sys = hocket::sys;

SPIClass SPI(0);

void SPIClass::beginTransaction(SPISettings settings) {
  const unsigned loop = sys::loop_id();
  // Only this loop ever writes its own number to owner_, so a relaxed read is enough.
  if (__atomic_load_n(&owner_, __ATOMIC_RELAXED) != loop) {
    free_.p();
    __atomic_store_n(&owner_, loop, __ATOMIC_RELAXED);
  }
  settings_ = settings;
}

void SPIClass::endTransaction() {
  if (__atomic_load_n(&owner_, __ATOMIC_RELAXED) != sys::loop_id()) return;
  __atomic_store_n(&owner_, kNobody, __ATOMIC_RELAXED);
  free_.v();
}

SPISettings SPIClass::now() const {
  if (__atomic_load_n(&owner_, __ATOMIC_RELAXED) == sys::loop_id()) return settings_;
  return SPISettings(clock_, order_, mode_);
}

uint8_t SPIClass::transfer(uint8_t byte) {
  exchange(&byte, &byte, 1);
  return byte;
}

uint16_t SPIClass::transfer16(uint16_t word) {
  const auto high = static_cast<uint8_t>(word >> 8), low = static_cast<uint8_t>(word);
  const bool lowest_first = now().getBitOrder() == LSBFIRST;
  uint8_t bytes[] = {lowest_first ? low : high, lowest_first ? high : low};
  exchange(bytes, bytes, sizeof bytes);
  return static_cast<uint16_t>(lowest_first ? bytes[1] << 8 | bytes[0] : bytes[0] << 8 | bytes[1]);
}

void SPIClass::exchange(const void* out, void* in, size_t size) {
  const SPISettings settings = now();
  const auto* from = static_cast<const uint8_t*>(out);
  auto* to = static_cast<uint8_t*>(in);
  while (size > 0) {
    const auto piece = static_cast<uint32_t>(size < sys::kLongestSpi ? size : sys::kLongestSpi);
    const sys::SpiTransfer transfer = {.out = from,
                                       .in = to,
                                       .size = piece,
                                       .hertz = settings.getClockFreq(),
                                       .mode = static_cast<uint8_t>(settings.getDataMode()),
                                       .lowest_first = settings.getBitOrder() == LSBFIRST};
    const uint64_t lasts = sys::spi_time_ns(transfer);
    if (!sys::spi_transfer(bus_, transfer)) {
      if (to != nullptr) memset(to, 0xff, piece);
    } else if (lasts < sys::kWorthSleeping) {
      sys::spin_ns(lasts);
    }
    if (from != nullptr) from += piece;
    if (to != nullptr) to += piece;
    size -= piece;
  }
}
#endif
