// A light that runs over the pins of an array.
const byte pins[] = {2, 3, 4, 5, 6, 7};
void setup() {
  for (byte p : pins) pinMode(p, OUTPUT);
}
void loop() {
  for (unsigned i = 0; i < sizeof pins; i++) {
    digitalWrite(pins[i], HIGH);
    delay(15);
    digitalWrite(pins[i], LOW);
  }
}
