// Timer 1 as a stopwatch of half microseconds.
void setup() {
  Serial.begin(9600);
  TCCR1A = 0;
  TCCR1B = 1 << CS11;
  TCNT1 = 0;
  delayMicroseconds(1000);
  unsigned int ticks = TCNT1;
  Serial.println((ticks + 50) / 100);
}
void loop() {}
