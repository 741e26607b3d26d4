// What single calls cost: pin 3 is high from before a call until after it. The first pulse has no call in
// it. Interrupts are off, so that nothing comes between.

volatile uint8_t plain_pin = 8;
volatile uint8_t pwm_pin = 6;
volatile int level;
volatile unsigned long instant;

#define CALL(call)   \
  PORTD |= 1 << 3;   \
  call;              \
  PORTD &= ~(1 << 3)

void setup() {
  pinMode(3, OUTPUT);
  pinMode(6, OUTPUT);
  pinMode(8, OUTPUT);
  noInterrupts();
}

void loop() {
  CALL();
  CALL(digitalWrite(8, HIGH));
  CALL(digitalWrite(plain_pin, HIGH));
  CALL(digitalWrite(6, HIGH));
  CALL(digitalWrite(pwm_pin, HIGH));
  CALL(level = digitalRead(8));
  CALL(level = digitalRead(plain_pin));
  CALL(level = digitalRead(6));
  CALL(level = digitalRead(pwm_pin));
  CALL(instant = micros());
  CALL(instant = millis());  // works it out
  CALL(instant = millis());  // has kept it
}
