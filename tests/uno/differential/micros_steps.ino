// micros() counts in steps of 4.
void setup() {
  Serial.begin(9600);
  byte odd = 0;
  for (int i = 0; i < 100; i++) odd |= micros() & 3;
  Serial.println(odd);
}
void loop() {}
