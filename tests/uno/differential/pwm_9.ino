// analogWrite() of one pin: between its levels, and both of them.
void setup() {
  analogWrite(9, 64);
  delay(60);
  analogWrite(9, 200);
  delay(60);
  analogWrite(9, 255);
  delay(20);
  analogWrite(9, 0);
  delay(20);
  analogWrite(9, 128);
}
void loop() {}
