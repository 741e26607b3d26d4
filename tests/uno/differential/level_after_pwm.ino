// A pin that has PWM, then a level, then PWM.
void setup() {
  for (int i = 0; i < 4; i++) {
    analogWrite(5, 100);
    delay(10);
    digitalWrite(5, i & 1);
    delay(10);
  }
}
void loop() {}
