// 4,000 writes of a pin and 4,000 reads, timed in setup(), where nothing else runs (experiment.py).
constexpr unsigned kAccesses = 4000;
volatile unsigned seen = 0;

void tell(const char* call, unsigned long took) {
  Serial.print(call);
  Serial.print('|');
  Serial.println(took);
}

void setup() {
  Serial.begin(115200);
  pinMode(7, OUTPUT);
  pinMode(8, INPUT);
  const unsigned long begin = micros();
  for (unsigned i = 0; i < kAccesses / 2; ++i) {
    digitalWrite(7, HIGH);
    digitalWrite(7, LOW);
  }
  const unsigned long between = micros();
  for (unsigned i = 0; i < kAccesses; ++i) seen = digitalRead(8);
  const unsigned long end = micros();
  tell("digitalWrite()", between - begin);
  tell("digitalRead()", end - between);
}

void loop(1, 10, 100) { delay(50); }
