// Two motors in open loop, one at a driver with step and direction, one at four coils.
#include <AccelStepper.h>

AccelStepper axis(AccelStepper::DRIVER, 3, 4), valve(AccelStepper::HALF4WIRE, 8, 10, 9, 11);

void to(long a, long b) {
  axis.moveTo(a);
  valve.moveTo(b);
  while (axis.isRunning() || valve.isRunning()) {
    axis.run();
    valve.run();
  }
}

void setup() {
  Serial.begin(115200);
  axis.setMaxSpeed(500);
  axis.setAcceleration(2000);
  valve.setMaxSpeed(400);
  valve.setAcceleration(1000);
  to(400, 200);
  to(-100, 50);
  Serial.println(axis.currentPosition());
  Serial.println(valve.currentPosition());
}
void loop() {}
