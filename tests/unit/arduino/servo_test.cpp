// Servo: angles, pulses and their limits.
#include <Servo.h>
#include <gtest/gtest.h>

#include "fake_system.h"

namespace {

using Calls = std::vector<std::string>;

class Servos : public ::testing::Test {
 protected:
  void SetUp() override { reset_fake(); }
  Servo servo;
};

TEST_F(Servos, AttachSendsTheMiddle) {
  EXPECT_FALSE(servo.attached());
  EXPECT_EQ(servo.attach(9), 9);
  EXPECT_TRUE(servo.attached());
  EXPECT_EQ(fake().taken(), (Calls{"pin_mode 9 1", "servo_write 9 1500"}));
}

TEST_F(Servos, AnglesAndPulses) {
  servo.attach(9);
  fake().taken();
  servo.write(0);
  servo.write(90);
  servo.write(180);
  servo.write(400);
  servo.write(-20);
  servo.write(1000);
  servo.writeMicroseconds(100);
  servo.writeMicroseconds(9999);
  EXPECT_EQ(fake().taken(), (Calls{"servo_write 9 544", "servo_write 9 1472", "servo_write 9 2400",
                                   "servo_write 9 2400", "servo_write 9 544", "servo_write 9 1000",
                                   "servo_write 9 544", "servo_write 9 2400"}));
}

TEST_F(Servos, EveryAngleReadsBack) {
  for (const auto& [low, high] :
       {std::pair(544, 2400), std::pair(1000, 2000), std::pair(600, 900)}) {
    servo.attach(9, low, high);
    for (int degrees = 0; degrees <= 180; ++degrees) {
      servo.write(degrees);
      EXPECT_EQ(servo.read(), degrees) << low << " to " << high;
    }
  }
}

TEST_F(Servos, OwnLimits) {
  servo.attach(9, 1000, 2000);
  servo.write(90);
  EXPECT_EQ(servo.readMicroseconds(), 1500);
  servo.writeMicroseconds(2300);
  EXPECT_EQ(servo.readMicroseconds(), 2000);
  servo.attach(9, 700, 700);
  EXPECT_EQ(servo.read(), 0);
}

TEST_F(Servos, DetachStopsAndKeepsThePosition) {
  servo.write(45);
  EXPECT_EQ(fake().taken(), Calls{}) << "nothing is sent before attach()";
  servo.attach(9);
  EXPECT_EQ(fake().taken(), (Calls{"pin_mode 9 1", "servo_write 9 1008"}));
  servo.detach();
  servo.detach();
  EXPECT_EQ(fake().taken(), (Calls{"servo_write 9 0"}));
  EXPECT_FALSE(servo.attached());
  servo.attach(10);
  servo.attach(11);
  EXPECT_EQ(fake().taken(), (Calls{"pin_mode 10 1", "servo_write 10 1008", "pin_mode 11 1",
                                   "servo_write 10 0", "servo_write 11 1008"}));
}

TEST_F(Servos, APinThatDoesNotExist) {
  EXPECT_EQ(servo.attach(99), INVALID_SERVO);
  EXPECT_FALSE(servo.attached());
  EXPECT_EQ(servo.attach(-1), INVALID_SERVO);
}

}  // namespace
