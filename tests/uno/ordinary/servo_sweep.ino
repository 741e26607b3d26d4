// says: 0|45|90|135|180|back
// A servo's angle from a table; it is told once a step.
#include <Servo.h>
Servo servo;
volatile int angle;

void setup() {
  Serial.begin(115200);
  servo.attach(6);
}

void loop(1, 5, 50) {
  delay(50);
  static int step = 45;
  static bool back;
  if (back) return;
  Serial.println(angle);
  angle += step;
  if (angle > 180) {
    Serial.println("back");
    back = true;
    angle = 0;
  }
}

void loop(2, 2, 20) {
  servo.write(angle);
  delay(20);
}
