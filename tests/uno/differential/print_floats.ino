void setup() {
  Serial.begin(115200);
  Serial.println(3.14159, 4);
  Serial.println(-0.5);
  Serial.println(1e9, 1);
  Serial.println(5e9);
  Serial.println(0.0 / 0.0);
  Serial.println(1.0 / 0.0);
  Serial.println(2.675, 2);
  Serial.println(99.999, 0);
}
void loop() {}
