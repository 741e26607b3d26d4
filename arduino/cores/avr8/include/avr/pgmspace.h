// avr-libc's <avr/pgmspace.h>, with readings of four and eight bytes that clang can compile.
//
// clang has no operand for 32 bits in assembler, so these read 16 bits twice. An Uno's flash ends
// where addresses of 16 bits do (ATmega328P data sheet, section 8.2): `_far` reads what `_near`
// reads, where avr-libc has it for larger processors only.
#pragma once

#include_next <avr/pgmspace.h>

#ifdef __clang__

// clang knows no attribute for it; a section puts a constant into program memory. Each constant has
// one of its own: in one section clang refuses those whose first values are constant expressions
// beside those that are computed by casts, such as tables of `const __FlashStringHelper*`.
#undef PROGMEM
#define HOCKET_PROGMEM_TEXT_(number) #number
#define HOCKET_PROGMEM_(number) \
  __attribute__((section(".progmem.data." HOCKET_PROGMEM_TEXT_(number))))
#define PROGMEM HOCKET_PROGMEM_(__COUNTER__)

#ifdef __cplusplus
extern "C" {
#endif

static inline uint32_t hocket_read_flash_dword(uint16_t address) {
  uint16_t low, high;
  __asm__(
      "lpm %A0, Z+\n\t"
      "lpm %B0, Z+\n\t"
      "lpm %A1, Z+\n\t"
      "lpm %B1, Z+"
      : "=&r"(low), "=&r"(high), "+z"(address));
  return (uint32_t)high << 16 | low;
}

static inline uint64_t hocket_read_flash_qword(uint16_t address) {
  return (uint64_t)hocket_read_flash_dword(address + 4) << 32 | hocket_read_flash_dword(address);
}

static inline float hocket_read_flash_float(uint16_t address) {
  return __builtin_bit_cast(float, hocket_read_flash_dword(address));
}

#ifdef __cplusplus
}
#endif

#undef __LPM_dword
#undef __LPM_float
#define __LPM_dword(address) hocket_read_flash_dword((uint16_t)(address))
#define __LPM_float(address) hocket_read_flash_float((uint16_t)(address))

#elif !defined(pgm_read_qword)
#define HOCKET_READ_FLASH_QWORD_

static inline uint64_t hocket_read_flash_qword(uint16_t address) {
  return (uint64_t)pgm_read_dword_near(address + 4) << 32 | pgm_read_dword_near(address);
}

#endif

// avr-libc has these from version 2.2 on, those of far addresses for processors that have such
// memory.
#undef pgm_read_byte_far
#undef pgm_read_word_far
#undef pgm_read_dword_far
#undef pgm_read_qword_far
#undef pgm_read_float_far
#undef pgm_read_ptr_far

#if defined(__clang__) || defined(HOCKET_READ_FLASH_QWORD_)
#undef pgm_read_qword_near
#undef pgm_read_qword
#define pgm_read_qword_near(address) hocket_read_flash_qword((uint16_t)(address))
#define pgm_read_qword(address) pgm_read_qword_near(address)
#endif

#undef pgm_get_far_address
#define pgm_get_far_address(variable) ((uint_farptr_t)(uint16_t)&(variable))
#define pgm_read_byte_far(address) pgm_read_byte_near(address)
#define pgm_read_word_far(address) pgm_read_word_near(address)
#define pgm_read_dword_far(address) pgm_read_dword_near(address)
#define pgm_read_qword_far(address) pgm_read_qword_near(address)
#define pgm_read_float_far(address) pgm_read_float_near(address)
#define pgm_read_ptr_far(address) pgm_read_ptr_near(address)
