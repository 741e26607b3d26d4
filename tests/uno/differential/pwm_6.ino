// analogWrite() of one pin: between its levels, and both of them.
void setup() {
  analogWrite(6, 64);
  delay(60);
  analogWrite(6, 200);
  delay(60);
  analogWrite(6, 255);
  delay(20);
  analogWrite(6, 0);
  delay(20);
  analogWrite(6, 128);
}
void loop() {}
