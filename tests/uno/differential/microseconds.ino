// Short pulses.
void setup() { pinMode(7, OUTPUT); }
void loop() {
  for (int us = 5; us < 300; us += 59) {
    digitalWrite(7, HIGH);
    delayMicroseconds(us);
    digitalWrite(7, LOW);
  }
  delay(10);
}
