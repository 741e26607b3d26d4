// A shift register's pins.
void setup() {
  pinMode(8, OUTPUT);
  pinMode(11, OUTPUT);
  pinMode(12, OUTPUT);
}
void loop() {
  static byte n;
  digitalWrite(8, LOW);
  shiftOut(11, 12, MSBFIRST, n);
  shiftOut(11, 12, LSBFIRST, n * 37);
  digitalWrite(8, HIGH);
  n++;
  delay(20);
}
