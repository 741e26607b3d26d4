// Ports by their registers.
void setup() {
  DDRB |= _BV(DDB0) | _BV(DDB1);
  DDRD |= B11110000;
}
void loop() {
  PORTB ^= _BV(PORTB0);
  PORTD = (PORTD & 0x0F) | (PORTB & 1 ? 0xA0 : 0x50);
  PINB = _BV(PINB1);
  delay(10);
}
