// As interrupt, beside two loops with budgets: one computes, one sleeps and works.

volatile unsigned long sum;

void answer() {
  digitalWrite(3, HIGH);
  delayMicroseconds(50);
  digitalWrite(3, LOW);
}

void setup() {
  pinMode(2, INPUT);
  pinMode(3, OUTPUT);
  interruptsVcpu(4, 10);  // the edges of the experiment are not a storm
  attachInterrupt(digitalPinToInterrupt(2), answer, RISING);
}

void loop(1, 20, 50) {
  sum += 1;
}

void loop(2, 5, 20) {
  for (int i = 0; i < 100; ++i) sum += static_cast<unsigned long>(i);
  delay(2);
}
