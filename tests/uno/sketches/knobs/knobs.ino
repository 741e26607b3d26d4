// Two loops that never rest read a knob each, and a third tells how often a voltage was the other's.
volatile unsigned reads[2], wrong;

void setup() { Serial.begin(57600); }

void loop(1, 1, 7) {
  if (analogRead(A0) != 256) wrong++;
  reads[0]++;
}
void loop(2, 2, 10) {
  if (analogRead(A1) != 768) wrong++;
  reads[1]++;
}
void loop(3, 1, 50) {
  delay(200);
  Serial.print(wrong);
  Serial.print(' ');
  Serial.println(reads[0] > 100 && reads[1] > 100);
}
