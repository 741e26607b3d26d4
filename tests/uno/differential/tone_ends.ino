// A tone that ends by itself.
void setup() { pinMode(13, OUTPUT); }
void loop() {
  tone(4, 1000, 30);
  digitalWrite(13, HIGH);
  delay(50);
  digitalWrite(13, LOW);
  delay(50);
}
