// Whole numbers of all types, in all bases.
void setup() {
  Serial.begin(115200);
  Serial.println(42, DEC);
  Serial.println(42, HEX);
  Serial.println(42, OCT);
  Serial.println(42, BIN);
  Serial.println(-42);
  Serial.println(-42L, HEX);
  Serial.println(4000000000UL);
  Serial.println((byte)200);
  Serial.println('x');
  Serial.println(true);
  Serial.println(-2147483647L - 1);
  Serial.println(65535u, 7);
}
void loop() {}
