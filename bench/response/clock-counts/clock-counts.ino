// As interrupt, with Hocket's clock running but read only once: what its overflow interrupt adds.

void answer() {
  digitalWrite(3, HIGH);
  delayMicroseconds(50);
  digitalWrite(3, LOW);
}

void setup() {
  pinMode(2, INPUT);
  pinMode(3, OUTPUT);
  micros();
  attachInterrupt(digitalPinToInterrupt(2), answer, RISING);
}

void loop() {
}
