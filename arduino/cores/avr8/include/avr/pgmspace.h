// avr-libc's <avr/pgmspace.h>, with reads of four and eight bytes that clang can compile.
//
// clang has no 32-bit operand in assembler, so these read 16 bits twice. An Uno's flash ends where
// 16-bit addresses do (ATmega328P data sheet, section 8.2), so `_far` reads the same as `_near`.
// avr-libc has `_far` for larger processors only.
#pragma once

#include_next <avr/pgmspace.h>

#ifdef __clang__

// clang has no attribute for program memory, so a section places the constant there. Each constant
// has its own section: within one section clang refuses to mix initial values that are constant
// expressions with others that contain casts, such as tables of `const __FlashStringHelper*`.
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

// avr-libc has these from version 2.2 on, and those of far addresses only for processors with such
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
