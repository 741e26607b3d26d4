// The tables that libraries read instead of calling the macros made of them.
void setup() {
  Serial.begin(115200);
  for (uint8_t pin = 0; pin < 20; ++pin) {
    uint8_t port = pgm_read_byte(&digital_pin_to_port_PGM[pin]);
    Serial.print(port);
    Serial.print(' ');
    Serial.print(pgm_read_byte(&digital_pin_to_bit_mask_PGM[pin]));
    Serial.print(' ');
    Serial.print(pgm_read_byte(&digital_pin_to_timer_PGM[pin]));
    Serial.print(' ');
    Serial.print(pgm_read_word(&port_to_mode_PGM[port]), HEX);
    Serial.print(pgm_read_word(&port_to_output_PGM[port]), HEX);
    Serial.println(pgm_read_word(&port_to_input_PGM[port]), HEX);
  }
  volatile uint8_t *mode = (volatile uint8_t *)pgm_read_word(port_to_mode_PGM + digitalPinToPort(9));
  *mode |= digitalPinToBitMask(9);
}
void loop() {
  *(volatile uint8_t *)pgm_read_word(port_to_output_PGM + digitalPinToPort(9)) ^= 2;
  delay(5);
}
