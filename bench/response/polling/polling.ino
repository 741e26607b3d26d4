// loop() waits until pin 2 is high and raises pin 3.

void setup() {
  pinMode(2, INPUT);
  pinMode(3, OUTPUT);
}

void loop() {
  while (digitalRead(2) == LOW) {
  }
  digitalWrite(3, HIGH);
  delayMicroseconds(50);
  while (digitalRead(2) == HIGH) {
  }
  digitalWrite(3, LOW);
}
