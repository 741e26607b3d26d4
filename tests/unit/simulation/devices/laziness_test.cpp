// Lazy simulation: how often the board looks must have no effect on what happens.

#include <rapidcheck.h>

#include "tests/unit/simulation/devices/rig.h"

namespace hocket::sim::test {
namespace {

constexpr const char* kScenario =
    "part motors m\nleft.forward 4\nleft.backward 5\nright.forward 6\nright.backward 7\n"
    "left.speed 9\nright.speed 10\nspeed 1500000000\nobstacle at=0 is=1000000000 speed=-100000000\n"
    "part hcsr04 sonar\ntrigger 11\necho 2\nvehicle m\nnoise 5000000\n"
    "part button b\npin 22\nbounce 3000000\nresistor true\npressed at=5000000 for=20000000\n"
    "part generator g\npin 23\ngaps.shortest 0\ngaps.longest 400000\n"
    "part probe p\npin 23\npart servo arm\npin 12\npart led lamp\npin 9\n"
    "part potentiometer knob\npin 54\nposition at=0 is=0\nposition at=50000000 is=1000000\n"
    "part serial gps\nport 1\nsend at=1000000 text=68656c6c6f\n"
    "send after=6f wait=100000 text=6f6b\n"
    "part helicopter h\nport 3\ngusts 3000000000\npart ahrs a\nport 2\naircraft h\nbroken 500000\n";

struct Action {
  Nanos when;
  unsigned what, pin;
  bool high;
};

/// What the board reports after the actions, when it is looked at every `poll` nanoseconds besides.
std::string outcome(const std::vector<Action>& actions, Nanos poll, const std::string& vcd) {
  Rig rig(kScenario, 5, vcd);
  for (const unsigned pin : {4u, 5u, 6u, 7u, 11u}) rig.output(pin);
  rig->serial_begin(0, 1, 9600);
  Nanos looked = 0;
  const auto look_until = [&](Nanos until) {
    for (; poll != 0 && looked < until; looked += poll) {
      rig->pin_read(looked, 2);
      rig->serial_available(looked, 1);
    }
  };
  for (const Action& action : actions) {
    look_until(action.when);
    switch (action.what) {
      case 0:
        rig->pin_write(action.when, action.pin, action.high);
        break;
      case 1:
        rig->pwm_write(action.when, 9 + action.pin % 2, action.pin, 12);
        break;
      case 2:
        rig->servo_write(action.when, 12, action.high ? 1000 + 50 * action.pin : 0);
        break;
      case 3:
        rig.write(action.when, 1, "foo");
        break;
      default:
        rig->pin_write(action.when, 11, action.high);
        break;
    }
  }
  look_until(ms(100));
  std::string result = rig->finish(ms(100));
  return result + rig->serial_facts() + rig.sent_text(1);
}

TEST(Laziness, LookingMoreOftenChangesNothing) {
  const std::string plain = temp_file("plain.vcd"), polled = temp_file("polled.vcd");
  const bool held = rc::check("facts and waves do not depend on polling", [&] {
    std::vector<Action> actions;
    Nanos now = 0;
    const auto count = *rc::gen::inRange(1, 40);
    for (int i = 0; i < count; ++i) {
      now += *rc::gen::inRange<Nanos>(0, 3'000'000);
      actions.push_back(
          {now, *rc::gen::inRange(0u, 5u), *rc::gen::inRange(4u, 8u), *rc::gen::arbitrary<bool>()});
    }
    // Not on a whole millisecond's grid alone: a poll period that shares few instants with the
    // parts.
    const Nanos poll = *rc::gen::inRange<Nanos>(7'001, 900'001);
    RC_ASSERT(outcome(actions, 0, plain) == outcome(actions, poll, polled));
    RC_ASSERT(file_text(plain) == file_text(polled));
  });
  EXPECT_TRUE(held);
}

}  // namespace
}  // namespace hocket::sim::test
