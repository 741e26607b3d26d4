// The tutorial: a compare match of timer 1, beside delay().
volatile bool on;
void setup() {
  Serial.begin(9600);
  pinMode(13, OUTPUT);
  noInterrupts();
  TCCR1A = 0;
  TCCR1B = 0;
  TCNT1 = 0;
  OCR1A = 39999;
  TCCR1B |= (1 << WGM12) | (1 << CS11);
  TIMSK1 |= (1 << OCIE1A);
  interrupts();
}
ISR(TIMER1_COMPA_vect) { on = !on; digitalWrite(13, on); }
void loop() {
  Serial.println("alive");
  delay(100);
}
