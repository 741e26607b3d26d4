// Turns a three-phase motor in open loop by SimpleFOC: one electrical turn in 50 ms.
#include <SimpleFOC.h>

BLDCMotor motor(7);
BLDCDriver3PWM driver(9, 10, 11, 8);

void setup() {
  Serial.begin(115200);
  driver.voltage_power_supply = 12;
  driver.voltage_limit = 6;
  if (!driver.init()) Serial.println("no driver");
  motor.linkDriver(&driver);
  motor.voltage_limit = 6;
  motor.controller = MotionControlType::velocity_openloop;
  if (!motor.init()) Serial.println("no motor");
  motor.target = 2 * 3.14159265 * 20 / 7;
  Serial.println("begins");
}

void loop() {
  motor.loopFOC();
  motor.move();
}
