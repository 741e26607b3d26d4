// The flat scenario's reader: everything that is wrong is refused with its line.

#include "tests/unit/simulation/devices/rig.h"

namespace hocket::sim::test {
namespace {

struct Bad {
  const char* text;
  const char* message;
};

class FlatScenario : public testing::TestWithParam<Bad> {};

TEST_P(FlatScenario, IsRefusedWithItsLine) {
  try {
    Rig rig(GetParam().text);
    FAIL() << "accepted";
  } catch (const ScenarioError& error) {
    EXPECT_STREQ(error.what(), GetParam().message);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Mistakes, FlatScenario,
    testing::Values(
        Bad{"pin 3\n", "scenario line 2: a key must follow a part"},
        Bad{"part led\n", "scenario line 2: must be: part TYPE NAME"},
        Bad{"part lamp a\npin 3\n", "scenario line 2: there is no part type lamp"},
        Bad{"part led a\npin 3\npart led a\npin 4\n", "scenario line 4: there is a part a already"},
        Bad{"part led a\n", "scenario line 2: part a (led) needs pin"},
        Bad{"part led a\npin 70\n", "scenario line 3: pin is 70, outside of 0 to 69"},
        Bad{"part led a\npin 3x\n", "scenario line 3: pin needs a whole number, not 3x"},
        Bad{"part led a\npin 99999999999999999999\n",
            "scenario line 3: pin needs a whole number, not 99999999999999999999"},
        Bad{"part led a\npin\n", "scenario line 3: pin has no value"},
        Bad{"part led a\npin 3\npin 4\n", "scenario line 4: pin is said twice"},
        Bad{"part led a\npin 3\nshade red\n", "scenario line 4: part type led has no key shade"},
        Bad{"part led a\npin 3\nlit_when dark\n", "scenario line 4: lit_when cannot be dark"},
        Bad{"part potentiometer p\npin 3\nposition at=0 is=0\n",
            "scenario line 3: pin needs an analog input"},
        Bad{"part potentiometer p\npin 54\nposition at=5 is=0\n",
            "scenario line 4: position must begin at=0"},
        Bad{"part potentiometer p\npin 54\nposition at=0 is=0\nposition at=0 is=1\n",
            "scenario line 5: position must have ascending times"},
        Bad{"part potentiometer p\npin 54\nposition at=0 is=0 to=3\n",
            "scenario line 4: position has no field to"},
        Bad{"part generator a\npin 7\nfrequency 1000\npart generator b\npin 7\nfrequency 1000\n",
            "scenario line 5: part b (generator) drives pin D7, which another part drives already"},
        Bad{"part wire w\npins 7\npins 8\npart generator a\npin 7\nfrequency 1000\npart generator "
            "b\npin 8\nfrequency 1000\n",
            "scenario line 8: part b (generator) drives pin D8, which another part drives already"},
        Bad{"part generator a\npin 7\nfrequency 1000\nedges 3\n",
            "scenario line 2: part a (generator) needs one of frequency, gaps and edges"},
        Bad{"part hcsr04 s\ntrigger 3\necho 4\nvehicle x\n",
            "scenario line 2: part s sees the vehicle x, which is no part of type motors"},
        Bad{"part loopback a\nport 1\npart loopback b\nport 1\n",
            "scenario line 4: part b (loopback) is on a port to which another part sends"},
        Bad{"part serial a\nport 1\nexpect 6g\n",
            "scenario line 4: expect needs text as hexadecimal digits"},
        Bad{"part serial a\nport 1\nexpect 616\n",
            "scenario line 4: expect needs an even number of hexadecimal digits"},
        Bad{"part wire w\npins 7\n", "scenario line 2: part w (wire) needs at least two pins"}));

TEST(FlatScenario, BeginsWithItsVersion) {
  class Sink : public DeviceSink {
    void serial_out(Nanos, unsigned, uint8_t) override {}
  } sink;
  EXPECT_THROW(Devices::create({1, "part led a\npin 3\n", ""}, sink), ScenarioError);
  EXPECT_NO_THROW(Devices::create({1, "# nothing\n\nhocket-scenario 1\n", ""}, sink));
}

TEST(FlatScenario, AnEmptyBoardHasNoFacts) {
  Rig rig;
  EXPECT_EQ(rig->finish(s(1)), "{}");
}

}  // namespace
}  // namespace hocket::sim::test
