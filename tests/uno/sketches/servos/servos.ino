// Two servos, moved and let go.
#include <Servo.h>

Servo left, right;

void setup() {
  left.attach(9);
  right.attach(10);
  left.writeMicroseconds(1000);
  right.write(180);
  delay(100);
  left.detach();
  delay(60);
  right.detach();
  delay(60);
  analogWrite(3, 128);
}

void loop() {}
