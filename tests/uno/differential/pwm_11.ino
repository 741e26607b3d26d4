// analogWrite() of one pin: between its levels, and both of them.
void setup() {
  analogWrite(11, 64);
  delay(60);
  analogWrite(11, 200);
  delay(60);
  analogWrite(11, 255);
  delay(20);
  analogWrite(11, 0);
  delay(20);
  analogWrite(11, 128);
}
void loop() {}
