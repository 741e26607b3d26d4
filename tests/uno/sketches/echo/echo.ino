// What is on pin 2, A0 and Serial, told every 100 ms.
void setup() {
  Serial.begin(57600);
  pinMode(2, INPUT_PULLUP);
}
void loop() {
  Serial.print(digitalRead(2));
  Serial.print(' ');
  Serial.print(analogRead(A0));
  while (Serial.available() > 0) {
    Serial.print(' ');
    Serial.print((char)Serial.read());
  }
  Serial.println();
  delay(100);
}
