// The turns of timer 0, by the variable that counts them.
extern volatile unsigned long timer0_overflow_count;
void setup() { Serial.begin(9600); }
void loop() {
  delay(100);
  Serial.println(timer0_overflow_count / 10);
}
