// Experiment E12 on the Uno: pin 2 rises, the handler raises pin 3 and takes it back.

void answer() {
  digitalWrite(3, HIGH);
  digitalWrite(3, LOW);
}

void setup() {
  pinMode(3, OUTPUT);
  attachInterrupt(digitalPinToInterrupt(2), answer, RISING);
}

void loop() {
}
