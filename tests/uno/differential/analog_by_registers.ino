// The converter by its registers, which init() has turned on.
void setup() {
  Serial.begin(9600);
  ADMUX = _BV(REFS0) | 2;
  ADCSRA |= _BV(ADSC);
  while (ADCSRA & _BV(ADSC)) {}
  Serial.println(ADC);
  Serial.println(ADCSRA & 7);
}
void loop() {}
