// Pulses of timer 1 in tenths of a millisecond, by pulseIn(), and one that does not come. (The stock core's
// count loses what interrupts take.)
void setup() {
  Serial.begin(9600);
  pinMode(9, OUTPUT);
  analogWrite(9, 128);
  for (int i = 0; i < 3; i++) Serial.println((pulseIn(9, HIGH) + 50) / 100);
  Serial.println(pulseIn(7, HIGH, 1000));
}
void loop() {}
