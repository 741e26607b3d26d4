// Pulses on two pins, as long as experiment.py asks for, beside a loop that computes without end.
volatile unsigned long counted = 0;

void setup() {
  Serial.begin(115200);
  Serial.println("value?");
  const int value = static_cast<int>(Serial.parseInt());
  analogWrite(3, value);
  analogWrite(5, value);
}

void loop(1, 60, 100) { ++counted; }
