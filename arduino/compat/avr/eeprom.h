// The EEPROM with avr-libc's calls (<avr/eeprom.h>). On AVR this is the chip's own header.
// Elsewhere the calls use the board's EEPROM (EEPROM.h): the calling loop waits, other loops run.
// Not for interrupt handlers.
//
// An address is that of a variable declared with EEMEM, or a number cast to a pointer. EEMEM
// variables lie one after another from address 0. Their initial values are not written to the
// EEPROM, as on an Uno to which only a program is uploaded.
#pragma once

#ifdef __AVR__
#include_next <avr/eeprom.h>
#else

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif
uint8_t hocket_eeprom_read(int address);
void hocket_eeprom_write(int address, uint8_t value);
extern char __start_hocket_eeprom[] __attribute__((weak));
extern char __stop_hocket_eeprom[] __attribute__((weak));

#define EEMEM __attribute__((section("hocket_eeprom"), used))
#define E2END 0xfff
#define eeprom_is_ready() 1
#define eeprom_busy_wait() ((void)0)

static inline int hocket_eeprom_address(const void* p) {
  const char* const at = (const char*)p;
  const int variable = at >= __start_hocket_eeprom && at < __stop_hocket_eeprom;
  return (int)(variable ? (size_t)(at - __start_hocket_eeprom) : (size_t)at);
}

static inline void eeprom_read_block(void* to, const void* from, size_t size) {
  const int address = hocket_eeprom_address(from);
  for (size_t i = 0; i < size; ++i) ((uint8_t*)to)[i] = hocket_eeprom_read(address + (int)i);
}
static inline void eeprom_write_block(const void* from, void* to, size_t size) {
  const int address = hocket_eeprom_address(to);
  for (size_t i = 0; i < size; ++i)
    hocket_eeprom_write(address + (int)i, ((const uint8_t*)from)[i]);
}
/// Does not write bytes that already have their value.
static inline void eeprom_update_block(const void* from, void* to, size_t size) {
  const int address = hocket_eeprom_address(to);
  for (size_t i = 0; i < size; ++i) {
    const uint8_t byte = ((const uint8_t*)from)[i];
    if (hocket_eeprom_read(address + (int)i) != byte) hocket_eeprom_write(address + (int)i, byte);
  }
}

#define HOCKET_EEPROM_(name, type)                                \
  static inline type eeprom_read_##name(const type* at) {         \
    type value;                                                   \
    eeprom_read_block(&value, at, sizeof value);                  \
    return value;                                                 \
  }                                                               \
  static inline void eeprom_write_##name(type* at, type value) {  \
    eeprom_write_block(&value, at, sizeof value);                 \
  }                                                               \
  static inline void eeprom_update_##name(type* at, type value) { \
    eeprom_update_block(&value, at, sizeof value);                \
  }
HOCKET_EEPROM_(byte, uint8_t)
HOCKET_EEPROM_(word, uint16_t)
HOCKET_EEPROM_(dword, uint32_t)
HOCKET_EEPROM_(qword, uint64_t)
HOCKET_EEPROM_(float, float)
#undef HOCKET_EEPROM_

#ifdef __cplusplus
}

#if __SIZEOF_LONG__ > 4
// Also accepts `(unsigned long*)8` where `long` is wider than uint32_t: four bytes.
static inline uint32_t eeprom_read_dword(const unsigned long* at) {
  return eeprom_read_dword((const uint32_t*)at);
}
static inline void eeprom_write_dword(unsigned long* at, uint32_t value) {
  eeprom_write_dword((uint32_t*)at, value);
}
static inline void eeprom_update_dword(unsigned long* at, uint32_t value) {
  eeprom_update_dword((uint32_t*)at, value);
}
#endif
#endif
#endif
