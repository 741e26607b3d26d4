// What the language's names stand for.
void setup() {
  Serial.begin(115200);
  Serial.println(A0);
  Serial.println(LED_BUILTIN);
  Serial.println(INPUT_PULLUP);
  Serial.println(HIGH);
  Serial.println(SS);
  Serial.println(SDA);
  Serial.println(digitalPinToInterrupt(3));
  Serial.println(TWO_PI, 4);
  Serial.println(sizeof(String));
}
void loop() {}
