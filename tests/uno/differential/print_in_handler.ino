// A handler that prints more than the buffer holds.
void seen() { Serial.println("abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz"); }
void setup() {
  Serial.begin(115200);
  attachInterrupt(digitalPinToInterrupt(2), seen, RISING);
}
void loop() {}
