// shiftIn() of a line that stays high.
void setup() {
  Serial.begin(9600);
  pinMode(4, OUTPUT);
  pinMode(5, INPUT_PULLUP);
}
void loop() {
  Serial.println(shiftIn(5, 4, MSBFIRST), BIN);
  delay(50);
}
