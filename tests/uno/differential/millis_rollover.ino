// What comes over the end of the milliseconds.
extern volatile unsigned long timer0_millis;
unsigned long last;
void setup() {
  Serial.begin(9600);
  noInterrupts();
  timer0_millis = 4294967200UL;
  interrupts();
  last = 4294967200UL;
}
void loop() {
  if (millis() - last >= 50) { last += 50; Serial.println(last); }
}
