// As interrupt, with the interrupt of timer 0 off: the Arduino core counts milliseconds with it. (Hocket
// does not, so there it changes nothing.)

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
