// A protocol by the sketch itself: bits of 100 us.
void send(byte b) {
  digitalWrite(6, LOW);
  delayMicroseconds(100);
  for (byte i = 0; i < 8; i++) {
    digitalWrite(6, b >> i & 1);
    delayMicroseconds(100);
  }
  digitalWrite(6, HIGH);
  delayMicroseconds(100);
}
void setup() {
  pinMode(6, OUTPUT);
  digitalWrite(6, HIGH);
}
void loop() {
  send('A');
  send('b');
  delay(10);
}
