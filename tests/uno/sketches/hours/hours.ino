// Sleeps for longer than the kernel's instants have an order (17 minutes), in two loops of different kind.
void setup() { Serial.begin(115200); }
void loop(1, 5, 20) {
  delay(3600000UL);
  Serial.println(millis());
}
void periodic(2, 5ms, 200s) {
  Serial.println("p");
}
