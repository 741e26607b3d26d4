// analogWrite() of one pin: between its levels, and both of them.
void setup() {
  analogWrite(5, 64);
  delay(60);
  analogWrite(5, 200);
  delay(60);
  analogWrite(5, 255);
  delay(20);
  analogWrite(5, 0);
  delay(20);
  analogWrite(5, 128);
}
void loop() {}
