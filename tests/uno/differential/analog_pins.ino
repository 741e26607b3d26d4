// The analog inputs are pins as others.
void setup() {
  for (int p = A0; p <= A5; p++) pinMode(p, OUTPUT);
}
void loop() {
  static int n;
  digitalWrite(A0 + n % 6, n & 8 ? HIGH : LOW);
  n++;
  delay(7);
}
