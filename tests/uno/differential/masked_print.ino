// A line longer than the buffer while interrupts are off.
void setup() { Serial.begin(9600); }
void loop() {
  noInterrupts();
  Serial.println("0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789");
  Serial.flush();
  interrupts();
  Serial.println("on");
  delay(50);
}
