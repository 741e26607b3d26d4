// Levels of inputs with nothing at them.
void setup() {
  Serial.begin(9600);
  for (int p = 2; p < 14; p++) {
    pinMode(p, INPUT_PULLUP);
    delay(1);
    Serial.print(digitalRead(p));
  }
  Serial.println();
}
void loop() {}
