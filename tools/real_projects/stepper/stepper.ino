// A geared motor in open loop: 100 full steps and 30 back.
#include <Stepper.h>

Stepper motor(2048, 8, 10, 9, 11);

void setup() {
  Serial.begin(115200);
  motor.setSpeed(10);
  motor.step(100);
  motor.step(-30);
  Serial.println("there");
}
void loop() {}
