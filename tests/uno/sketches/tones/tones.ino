// Tones on two pins: 440 Hz for 100 ms, then 1000 Hz until noTone(), and one that must not begin
// meanwhile.
void setup() {
  tone(8, 440, 100);
  delay(150);
  tone(8, 1000);
  tone(4, 2000);
  delay(50);
  noTone(4);
  delay(50);
  noTone(8);
  delay(50);
  tone(4, 31);
}
void loop() {}
