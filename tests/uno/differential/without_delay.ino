// Two lights at their own rates, by millis().
unsigned long last1, last2;
bool on1, on2;
void setup() {
  pinMode(12, OUTPUT);
  pinMode(13, OUTPUT);
}
void loop() {
  unsigned long now = millis();
  if (now - last1 >= 50) { last1 += 50; on1 = !on1; digitalWrite(12, on1); }
  if (now - last2 >= 70) { last2 += 70; on2 = !on2; digitalWrite(13, on2); }
}
