// part: eye: {type: hcsr04, trigger: 7, echo: 8, distance: 0.85 m, cycle: 50 ms}
// says: near|85 cm|alarm off
// An ultrasonic sensor and what follows from it.
volatile int cm;

void setup() {
  Serial.begin(115200);
  pinMode(7, OUTPUT);
  pinMode(8, INPUT);
}

void loop(1, 10, 50) {
  digitalWrite(7, HIGH);
  delayMicroseconds(10);
  digitalWrite(7, LOW);
  unsigned long us = pulseIn(8, HIGH, 8000);
  cm = (us + 29) / 58;
}

void loop(2, 10, 100) {
  delay(100);
  static byte round_;
  if (round_++ != 2) return;
  Serial.println(cm < 100 ? "near" : "far");
  Serial.println(String(cm) + " cm");
  Serial.print("alarm ");
  Serial.println(cm < 30 ? "on" : "off");
}
