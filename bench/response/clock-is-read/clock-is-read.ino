// As interrupt, while Hocket's clock is read without a pause and its overflow interrupt is off: what a
// reading adds.

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
  micros();
}
