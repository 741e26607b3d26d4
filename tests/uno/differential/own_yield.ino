// delay() calls the sketch's yield().
unsigned int yields;
void yield() { if (yields < 1000) yields++; }
void setup() {
  Serial.begin(9600);
  delay(50);
  Serial.println(yields);
}
void loop() {}
