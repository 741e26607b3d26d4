// A line now and then.
void setup() { Serial.begin(9600); }
void loop() {
  Serial.println("Hello, world!");
  delay(100);
}
