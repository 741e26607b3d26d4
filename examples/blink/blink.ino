// Blinks the board's LED once a second. A plain Arduino sketch: it runs here as it is.
//
// A plain loop() is a loop like the others; its share is 80 ms in every 100 ms.

void setup() {
  pinMode(LED_BUILTIN, OUTPUT);
}

void loop() {
  digitalWrite(LED_BUILTIN, HIGH);
  delay(500);
  digitalWrite(LED_BUILTIN, LOW);
  delay(500);
}
