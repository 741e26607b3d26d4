// The sequence that a seed gives, and the one without.
void setup() {
  Serial.begin(115200);
  for (int i = 0; i < 5; i++) Serial.println(random(1000));
  randomSeed(42);
  for (int i = 0; i < 5; i++) Serial.println(random(-10, 10));
}
void loop() {}
