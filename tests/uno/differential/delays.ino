// Delays of many lengths, at a pin.
void setup() { pinMode(7, OUTPUT); }
void loop() {
  for (int ms = 1; ms < 20; ms += 3) {
    digitalWrite(7, HIGH);
    delay(ms);
    digitalWrite(7, LOW);
    delay(2);
  }
}
