// The driver below Wire that some libraries call directly (utility/twi.h).
#ifdef __AVR__
#include <string.h>

#include "TwoWire.h"

extern "C" {
#include "../utility/twi.h"

void twi_init(void) {
  Wire.begin();
}
void twi_disable(void) {
  Wire.end();
}
void twi_setFrequency(uint32_t hertz) {
  Wire.setClock(hertz);
}
uint8_t twi_writeTo(uint8_t address, uint8_t* data, uint8_t length, uint8_t, uint8_t stop) {
  if (length > TWI_BUFFER_LENGTH) return 1;
  Wire.beginTransmission(address);
  Wire.write(data, length);
  return Wire.endTransmission(stop);
}
uint8_t twi_readFrom(uint8_t address, uint8_t* data, uint8_t length, uint8_t stop) {
  if (length > TWI_BUFFER_LENGTH) return 0;
  const uint8_t came = Wire.requestFrom(address, length, stop);
  for (uint8_t i = 0; i < came; ++i) data[i] = static_cast<uint8_t>(Wire.read());
  return came;
}
void twi_setTimeoutInMicros(uint32_t microseconds, bool with_reset) {
  Wire.setWireTimeout(microseconds, with_reset);
}
bool twi_manageTimeoutFlag(bool clear) {
  const bool flag = Wire.getWireTimeoutFlag();
  if (clear) Wire.clearWireTimeoutFlag();
  return flag;
}
}
#endif
