// analogWrite() of one pin: between its levels, and both of them.
void setup() {
  analogWrite(3, 64);
  delay(60);
  analogWrite(3, 200);
  delay(60);
  analogWrite(3, 255);
  delay(20);
  analogWrite(3, 0);
  delay(20);
  analogWrite(3, 128);
}
void loop() {}
