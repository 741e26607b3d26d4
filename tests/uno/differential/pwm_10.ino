// analogWrite() of one pin: between its levels, and both of them.
void setup() {
  analogWrite(10, 64);
  delay(60);
  analogWrite(10, 200);
  delay(60);
  analogWrite(10, 255);
  delay(20);
  analogWrite(10, 0);
  delay(20);
  analogWrite(10, 128);
}
void loop() {}
