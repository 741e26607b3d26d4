// A compare match of timer 2 that waits since init(): its interrupt comes as it is enabled.
volatile byte matches;
ISR(TIMER2_COMPA_vect) {
  if (matches++ == 0) digitalWrite(7, HIGH);
}
void setup() {
  Serial.begin(115200);
  pinMode(7, OUTPUT);
  byte found = TIFR2 & 7;
  TCCR2A = 0;
  TCCR2B = 4;
  TCNT2 = 0;
  OCR2A = 249;
  TIMSK2 = 1 << OCIE2A;
  byte at_once = matches;
  TIMSK2 = 0;
  Serial.print(found);
  Serial.print(' ');
  Serial.println(at_once);
}
void loop() {}
