// An ultrasonic sensor that nobody waits for: its echo is measured by interrupts.
//
// pulseIn() would keep its loop busy for up to 38 ms a reading. Here one loop asks, the handler has both edges
// of the echo, and another loop uses the newest distance at any time.
//
// Parts: an HC-SR04 (trigger pin 11, echo pin 2), a wall that comes nearer.
const int TRIGGER = 11;
const int ECHO_PIN = 2;

Channel<int> distance;  // in cm, newest

// On a virtual CPU of its own. What it measures is as exact as its two delays are alike.
void edge() {
  static unsigned long rose = 0;
  if (digitalRead(ECHO_PIN)) {
    rose = micros();
  } else {
    channelWrite(distance, int((micros() - rose) / 58.2));
  }
}

void setup() {
  Serial.begin(115200);
  pinMode(TRIGGER, OUTPUT);
  attachInterruptVcpu(ECHO_PIN, edge, CHANGE, 100us, 1ms);
}

// Ask, ten times a second.
void loop(1, 200us, 100ms) {
  digitalWrite(TRIGGER, HIGH);
  delayMicroseconds(10);
  digitalWrite(TRIGGER, LOW);
  delay(100);
}

// Tell.
void loop(2, 5ms, 250ms) {
  Serial.println(channelRead(distance));
  delay(250);
}

// All the time that pulseIn() would have taken.
void loop(3, 60ms, 100ms) {
  volatile unsigned work = 0;
  for (int i = 0; i < 1000; ++i) work += i;
}
