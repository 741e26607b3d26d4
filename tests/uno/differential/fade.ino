// Up and down on a pin of timer 1.
void setup() { pinMode(9, OUTPUT); }
void loop() {
  for (int v = 0; v <= 255; v += 51) { analogWrite(9, v); delay(12); }
  for (int v = 255; v >= 0; v -= 51) { analogWrite(9, v); delay(12); }
}
