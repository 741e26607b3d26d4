// As interrupt, while millis() is called without a pause: what counting milliseconds and reading them add.

void answer() {
  digitalWrite(3, HIGH);
  delayMicroseconds(50);
  digitalWrite(3, LOW);
}

void setup() {
  pinMode(2, INPUT);
  pinMode(3, OUTPUT);
  attachInterrupt(digitalPinToInterrupt(2), answer, RISING);
}

void loop() {
  millis();
}
