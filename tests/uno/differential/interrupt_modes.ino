// A mode of an interrupt as a number, and as a library keeps it.
volatile unsigned int changes, falls;
void change() { changes++; }
void fall() { falls++; }
const byte kept = 2;
void setup() {
  Serial.begin(9600);
  Serial.println(LOW);
  Serial.println(CHANGE);
  Serial.println(FALLING);
  Serial.println(RISING);
  attachInterrupt(0, change, 1);
  attachInterrupt(1, fall, kept);
  delay(200);
  Serial.println(changes);
  Serial.println(falls);
}
void loop() {}
