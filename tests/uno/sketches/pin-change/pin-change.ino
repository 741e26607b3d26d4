// Handlers on pins of each port; loops tell what they counted.
volatile int rises, falls, changes, others;
int which;

void rise() { rises++; }
void fall() { falls++; }
void change() { changes++; }
void count(void* where) { (*static_cast<volatile int*>(where))++; }

void setup() {
  Serial.begin(57600);
  pinMode(4, INPUT_PULLUP);
  pinMode(8, INPUT_PULLUP);
  pinMode(A0, INPUT_PULLUP);
  pinMode(2, INPUT_PULLUP);
  attachInterrupt(digitalPinToInterrupt(4), rise, RISING);
  attachInterrupt(digitalPinToInterrupt(8), fall, FALLING);
  which = A0;
  attachInterrupt(digitalPinToInterrupt(which), change, CHANGE);
  attachInterruptParam(digitalPinToInterrupt(2), count, FALLING, const_cast<int*>(&others));
}

void loop() {
  delay(1000);
  Serial.print(rises);
  Serial.print(' ');
  Serial.print(falls);
  Serial.print(' ');
  Serial.print(changes);
  Serial.print(' ');
  Serial.println(others);
  detachInterrupt(digitalPinToInterrupt(8));
}
