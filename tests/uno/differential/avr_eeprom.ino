#include <avr/eeprom.h>
void setup() {
  Serial.begin(9600);
  eeprom_write_byte((uint8_t *)5, 42);
  eeprom_update_word((uint16_t *)8, 0x1234);
  Serial.println(eeprom_read_byte((uint8_t *)5));
  Serial.println(eeprom_read_word((uint16_t *)8), HEX);
}
void loop() {}
