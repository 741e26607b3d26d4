// Three notes.
const int notes[] = {440, 523, 659};
void setup() {
  for (int n : notes) { tone(8, n); delay(40); noTone(8); delay(20); }
}
void loop() {}
