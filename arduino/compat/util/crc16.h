// Checksums, one byte at a time, with avr-libc's names. On AVR this is avr-libc's header.
//
// Each function takes the checksum so far and the next byte. CRC-16, CCITT and iButton shift to the
// right; XMODEM and CRC-8 shift to the left.
#pragma once

#ifdef __AVR__
#include_next <util/crc16.h>
#else

#include <stdint.h>

static inline uint16_t hocket_crc_right_(uint16_t crc, uint8_t byte, uint16_t polynomial) {
  crc = (uint16_t)(crc ^ byte);
  for (int bit = 0; bit < 8; ++bit)
    crc = (uint16_t)((crc >> 1) ^ ((crc & 1) != 0 ? polynomial : 0));
  return crc;
}

/// x^16 + x^15 + x^2 + 1 (Modbus, USB; the initial value is usually 0xffff).
static inline uint16_t _crc16_update(uint16_t crc, uint8_t byte) {
  return hocket_crc_right_(crc, byte, 0xa001);
}
/// x^16 + x^12 + x^5 + 1, lowest bit first (PPP, IrDA; the initial value is usually 0xffff).
static inline uint16_t _crc_ccitt_update(uint16_t crc, uint8_t byte) {
  return hocket_crc_right_(crc, byte, 0x8408);
}
/// The same polynomial, highest bit first (the initial value is usually 0).
static inline uint16_t _crc_xmodem_update(uint16_t crc, uint8_t byte) {
  crc = (uint16_t)(crc ^ (byte << 8));
  for (int bit = 0; bit < 8; ++bit)
    crc = (uint16_t)((crc << 1) ^ ((crc & 0x8000) != 0 ? 0x1021 : 0));
  return crc;
}
/// x^8 + x^5 + x^4 + 1 (1-Wire; the initial value is 0).
static inline uint8_t _crc_ibutton_update(uint8_t crc, uint8_t byte) {
  return (uint8_t)hocket_crc_right_(crc, byte, 0x8c);
}
/// x^8 + x^2 + x + 1, highest bit first (SMBus; the initial value is 0).
static inline uint8_t _crc8_ccitt_update(uint8_t crc, uint8_t byte) {
  crc = (uint8_t)(crc ^ byte);
  for (int bit = 0; bit < 8; ++bit) crc = (uint8_t)((crc << 1) ^ ((crc & 0x80) != 0 ? 0x07 : 0));
  return crc;
}

#endif
