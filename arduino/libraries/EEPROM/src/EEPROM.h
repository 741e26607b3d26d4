// EEPROM: memory that keeps its contents without power. 1 KiB on the Uno, 4 KiB on sim and virt (as
// on a Mega), none on a Raspberry Pi. A byte that was never written is 255.
//
// An address that does not exist reads 255, and a write to it changes nothing. A write takes 3.4 ms
// and begins when the previous one is done: the calling loop waits, other loops run. Not for
// interrupt handlers. Each byte lasts for about 100,000 changes (data sheet, 8.1), so update() and
// put() do not write a byte that already has its value.
// put() leave alone what has the value already.
#pragma once

#include <avr/io.h>
#include <stddef.h>
#include <stdint.h>

extern "C" {
uint8_t hocket_eeprom_read(int address);
void hocket_eeprom_write(int address, uint8_t value);
int hocket_eeprom_size();
}

/// One byte, used like a variable: EEPROM[3] = 7, EEPROM[3] += 1.
struct EERef {
  explicit EERef(int address) : index(address) {}
  EERef(const EERef&) = default;

  operator uint8_t() const { return hocket_eeprom_read(index); }
  uint8_t operator*() const { return hocket_eeprom_read(index); }

  EERef& operator=(uint8_t value) {
    hocket_eeprom_write(index, value);
    return *this;
  }
  EERef& operator=(const EERef& other) { return *this = static_cast<uint8_t>(other); }
  /// Writes only if the value differs.
  EERef& update(uint8_t value) { return *this != value ? *this = value : *this; }

#define HOCKET_CHANGES_(op)                                                    \
  EERef& operator op##=(uint8_t value) {                                       \
    return *this = static_cast<uint8_t>(static_cast<uint8_t>(*this) op value); \
  }
  HOCKET_CHANGES_(+)
  HOCKET_CHANGES_(-)
  HOCKET_CHANGES_(*)
  HOCKET_CHANGES_(/)
  HOCKET_CHANGES_(%)
  HOCKET_CHANGES_(&)
  HOCKET_CHANGES_(|)
  HOCKET_CHANGES_(^)
  HOCKET_CHANGES_(<<)
  HOCKET_CHANGES_(>>)
#undef HOCKET_CHANGES_
  EERef& operator++() { return *this += 1; }
  EERef& operator--() { return *this -= 1; }
  uint8_t operator++(int) {
    const uint8_t before = *this;
    ++*this;
    return before;
  }
  uint8_t operator--(int) {
    const uint8_t before = *this;
    --*this;
    return before;
  }

  int index;
};

/// An address that iterates over bytes: for (EEPtr p = EEPROM.begin(); p != EEPROM.end(); ++p).
struct EEPtr {
  EEPtr(int address) : index(address) {}
  operator int() const { return index; }
  EERef operator*() const { return EERef(index); }
  bool operator!=(const EEPtr& other) const { return index != other.index; }
  EEPtr& operator++() {
    ++index;
    return *this;
  }
  EEPtr& operator--() {
    --index;
    return *this;
  }
  EEPtr operator++(int) { return index++; }
  EEPtr operator--(int) { return index--; }

  int index;
};

struct EEPROMClass {
  EERef operator[](int address) { return EERef(address); }
  static uint8_t read(int address) { return hocket_eeprom_read(address); }
  static void write(int address, uint8_t value) { hocket_eeprom_write(address, value); }
  static void update(int address, uint8_t value) { EERef(address).update(value); }
  /// The size in bytes.
#ifdef __AVR__
  static uint16_t length() { return E2END + 1; }
#else
  static uint16_t length() { return static_cast<uint16_t>(hocket_eeprom_size()); }
#endif
  static EEPtr begin() { return 0; }
  static EEPtr end() { return static_cast<int>(length()); }

  /// Reads a whole variable that put() has written.
  template <class T>
  static T& get(int address, T& value) {
    auto* bytes = reinterpret_cast<uint8_t*>(&value);
    for (size_t i = 0; i < sizeof(T); ++i) bytes[i] = read(address + static_cast<int>(i));
    return value;
  }
  /// Writes a whole variable. Does not write bytes that already have their value.
  template <class T>
  static const T& put(int address, const T& value) {
    const auto* bytes = reinterpret_cast<const uint8_t*>(&value);
    for (size_t i = 0; i < sizeof(T); ++i) update(address + static_cast<int>(i), bytes[i]);
    return value;
  }
};

static EEPROMClass EEPROM;  // has no state; static because avr-gcc's gnu++14 has no inline
                            // variables
