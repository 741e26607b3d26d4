// Program memory, for processors where constants are in ordinary memory.
//
// The loads copy bytes, so an address need not be aligned. In C++, reading a *word* from a table of
// pointers gives the whole pointer, which old sketches for 16-bit pointers rely on:
//   strcpy_P(text, (char*)pgm_read_word(&(table[i])));
#pragma once

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define PROGMEM
#define PGM_P const char*
#define PGM_VOID_P const void*
#define PSTR(text) (text)

// Libraries define these themselves if they find none, some before they include Arduino.h.
#undef pgm_read_byte
#undef pgm_read_word
#undef pgm_read_dword
#undef pgm_read_qword
#undef pgm_read_float
#undef pgm_read_ptr

#define HOCKET_PGM_READ_(name, type)                \
  static inline type name(const volatile void* p) { \
    type value;                                     \
    memcpy(&value, (const void*)p, sizeof value);   \
    return value;                                   \
  }
#ifdef __cplusplus
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
#pragma GCC diagnostic ignored "-Wcast-qual"
#endif
HOCKET_PGM_READ_(pgm_read_byte, uint8_t)
HOCKET_PGM_READ_(pgm_read_word, uint16_t)
HOCKET_PGM_READ_(pgm_read_dword, uint32_t)
HOCKET_PGM_READ_(pgm_read_qword, uint64_t)
HOCKET_PGM_READ_(pgm_read_float, float)
HOCKET_PGM_READ_(pgm_read_ptr, void*)
#ifdef __cplusplus
#pragma GCC diagnostic pop
template <typename T>
inline uintptr_t pgm_read_word(T* const* pointer) {
  return reinterpret_cast<uintptr_t>(*pointer);
}
template <typename T>
inline uintptr_t pgm_read_dword(T* const* pointer) {
  return reinterpret_cast<uintptr_t>(*pointer);
}
#endif
#undef HOCKET_PGM_READ_

#define pgm_read_byte_near(p) pgm_read_byte(p)
#define pgm_read_word_near(p) pgm_read_word(p)
#define pgm_read_dword_near(p) pgm_read_dword(p)
#define pgm_read_float_near(p) pgm_read_float(p)
#define pgm_read_ptr_near(p) pgm_read_ptr(p)
#define pgm_read_byte_far(p) pgm_read_byte(p)
#define pgm_read_word_far(p) pgm_read_word(p)
#define pgm_read_dword_far(p) pgm_read_dword(p)
#define pgm_read_float_far(p) pgm_read_float(p)
#define pgm_read_ptr_far(p) pgm_read_ptr(p)

#define memchr_P memchr
#define memcmp_P memcmp
#define memcpy_P memcpy
#define memmem_P memmem
#define memrchr_P memrchr
#define strcat_P strcat
#define strchr_P strchr
#define strchrnul_P strchrnul
#define strcmp_P strcmp
#define strcpy_P strcpy
#define strcasecmp_P strcasecmp
#define strcasestr_P strcasestr
#define strcspn_P strcspn
#define strlcat_P strlcat
#define strlcpy_P strlcpy
#define strlen_P strlen
#define strnlen_P strnlen
#define strncmp_P strncmp
#define strncasecmp_P strncasecmp
#define strncat_P strncat
#define strncpy_P strncpy
#define strpbrk_P strpbrk
#define strrchr_P strrchr
#define strsep_P strsep
#define strspn_P strspn
#define strstr_P strstr
#define strtok_P strtok
#define strtok_rP strtok_r
#include "flash_formats.h"
#define sscanf_P sscanf
