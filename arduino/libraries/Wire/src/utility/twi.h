/* The functions below Wire that some libraries for AVR call by themselves; on the Uno only. */
#ifndef twi_h
#define twi_h

#ifndef __AVR__
#error "utility/twi.h is for the Uno's processor: use Wire.h"
#endif

#include <stdbool.h>
#include <stdint.h>

#ifndef TWI_FREQ
#define TWI_FREQ 100000L
#endif
#define TWI_BUFFER_LENGTH 32

void twi_init(void);
void twi_disable(void);
/* In line: what makes the board a device is linked where it is called only. */
void hocket_wire_listen(uint8_t address);
static inline void twi_setAddress(uint8_t address) {
  hocket_wire_listen(address);
}
void twi_setFrequency(uint32_t hertz);
/* 0: done; 1: too long; 2: no device; 3: a byte was not taken; 4: another error; 5: timed out.
   `wait` is always done. */
uint8_t twi_writeTo(uint8_t address, uint8_t* data, uint8_t length, uint8_t wait, uint8_t stop);
/* How many bytes came. */
uint8_t twi_readFrom(uint8_t address, uint8_t* data, uint8_t length, uint8_t stop);
void twi_setTimeoutInMicros(uint32_t microseconds, bool with_reset);
bool twi_manageTimeoutFlag(bool clear);

#endif
