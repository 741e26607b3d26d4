// A button switches a light, and is counted.
int count;
bool before = HIGH;
void setup() {
  Serial.begin(9600);
  pinMode(2, INPUT_PULLUP);
  pinMode(8, OUTPUT);
}
void loop() {
  bool now = digitalRead(2);
  if (now != before && now == LOW) Serial.println(++count);
  digitalWrite(8, !now);
  before = now;
  delay(5);
}
