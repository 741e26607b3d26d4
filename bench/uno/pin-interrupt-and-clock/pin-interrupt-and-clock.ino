// As pin-interrupt, in a sketch that also uses time.

void answer() {
  digitalWrite(3, HIGH);
  digitalWrite(3, LOW);
}

void setup() {
  pinMode(3, OUTPUT);
  attachInterrupt(digitalPinToInterrupt(2), answer, RISING);
}

void loop() {
  delay(1);
}
