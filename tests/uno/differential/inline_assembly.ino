volatile byte value = 0x35;
void setup() {
  Serial.begin(9600);
  byte v = value;
  asm volatile("swap %0" : "+r"(v));
  Serial.println(v, HEX);
  Serial.println(SREG >> 7);
  Serial.println(RAMEND);
  Serial.println(F_CPU / 1000000);
}
void loop() {}
