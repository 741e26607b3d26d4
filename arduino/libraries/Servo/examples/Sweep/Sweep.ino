// Turns a servo on pin 9 from end to end and back, over and over.
#include <Servo.h>

Servo servo;

void setup() {
  servo.attach(9);
}

void loop() {
  for (int degrees = 0; degrees <= 180; degrees++) {
    servo.write(degrees);
    delay(15);  // time for the arm to follow
  }
  for (int degrees = 180; degrees >= 0; degrees--) {
    servo.write(degrees);
    delay(15);
  }
}
