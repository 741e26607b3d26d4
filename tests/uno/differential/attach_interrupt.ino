// Edges of two pins, counted.
volatile unsigned int rises, changes;
void rise() { rises++; digitalWrite(7, rises & 1); }
void change() { changes++; }
void setup() {
  Serial.begin(9600);
  pinMode(7, OUTPUT);
  attachInterrupt(digitalPinToInterrupt(2), rise, RISING);
  attachInterrupt(digitalPinToInterrupt(3), change, CHANGE);
  delay(200);
  detachInterrupt(digitalPinToInterrupt(2));
  Serial.println(rises);
  Serial.println(changes);
  delay(50);
  Serial.println(rises);
}
void loop() {}
