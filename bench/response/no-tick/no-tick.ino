// As interrupt, with the interrupt of timer 0 off: the Arduino core counts milliseconds with it, whether
// the sketch asks for them or not.

void answer() {
  digitalWrite(3, HIGH);
  delayMicroseconds(50);
  digitalWrite(3, LOW);
}

void setup() {
  pinMode(2, INPUT);
  pinMode(3, OUTPUT);
  TIMSK0 = 0;
  attachInterrupt(digitalPinToInterrupt(2), answer, RISING);
}

void loop() {
}
