// What libraries find a pin's registers by.
volatile uint8_t *out;
uint8_t mask;
void setup() {
  Serial.begin(9600);
  out = portOutputRegister(digitalPinToPort(9));
  mask = digitalPinToBitMask(9);
  *portModeRegister(digitalPinToPort(9)) |= mask;
  Serial.println(mask);
  Serial.println(digitalPinToPort(2) == digitalPinToPort(7));
  Serial.println((int)portInputRegister(digitalPinToPort(13)) - (int)&PINB);
}
void loop() {
  *out ^= mask;
  delay(20);
}
