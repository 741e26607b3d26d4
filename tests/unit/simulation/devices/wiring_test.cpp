// Who drove what: what tells a part on the wrong pin from one that is left alone on purpose.

#include "tests/unit/simulation/devices/rig.h"

namespace hocket::sim::test {
namespace {

using PinNumbers = std::vector<unsigned>;

TEST(Wiring, APartAloneOnAPinIsIdle) {
  Rig rig("part led lamp\npin 9\n");
  rig.output(8);
  const WiringFacts facts = rig->wiring_facts();
  EXPECT_EQ(facts.driven, PinNumbers{8});
  EXPECT_EQ(facts.undriven, PinNumbers{9});
  ASSERT_EQ(facts.idle.size(), 1u);
  EXPECT_EQ(facts.idle[0].part, "lamp");
  EXPECT_EQ(facts.idle[0].pins, PinNumbers{9});
}

TEST(Wiring, AnOutputThatWasNeverWrittenIsDriven) {
  Rig rig("part led lamp\npin 9\n");
  rig.output(9);
  EXPECT_TRUE(rig->wiring_facts().idle.empty());
  EXPECT_TRUE(rig->wiring_facts().undriven.empty());
}

TEST(Wiring, ItStaysDrivenWhenItIsLetGo) {
  Rig rig("part led lamp\npin 9\n");
  rig.output(9);
  rig->pin_mode(1, 9, PinMode::Input);
  EXPECT_TRUE(rig->wiring_facts().idle.empty());
}

TEST(Wiring, AnOpenDrainOutputIsDrivenThoughItIsLetGo) {
  Rig rig("part led lamp\npin 9\n");
  rig->pin_write(0, 9, true);
  rig->pin_mode(0, 9, PinMode::OutputOpenDrain);
  EXPECT_EQ(rig->wiring_facts().driven, PinNumbers{9});
}

TEST(Wiring, AnInputAndALatchDriveNothing) {
  Rig rig("part led lamp\npin 9\n");
  rig->pin_mode(0, 9, PinMode::Input);
  rig->pin_write(1, 9, true);
  EXPECT_EQ(rig->wiring_facts().idle.size(), 1u);
}

TEST(Wiring, APartsResistorIsNobody) {
  Rig rig("part led lamp\npin 9\nlit_when low\n");
  EXPECT_EQ(rig->wiring_facts().idle.size(), 1u);
}

TEST(Wiring, AnotherPartDrivesToo) {
  Rig rig("part generator clock\npin 9\nfrequency 1000000\npart probe look\npin 9\n");
  EXPECT_TRUE(rig->wiring_facts().idle.empty());
  EXPECT_TRUE(rig->wiring_facts().undriven.empty());
}

TEST(Wiring, APinAtTheOtherEndOfAWireDrives) {
  Rig rig("part wire link\npins 8\npins 9\npart led lamp\npin 9\n");
  rig.output(8);
  EXPECT_TRUE(rig->wiring_facts().idle.empty());
}

TEST(Wiring, AnotherBoardDrivesEvenByAResistor) {
  Rig rig("part led lamp\npin 9\n");
  const unsigned line = rig->line(9);
  EXPECT_EQ(rig->wiring_facts().idle.size(), 1u);
  rig->line_drive(1, line, {Drive::WeakHigh});
  EXPECT_TRUE(rig->wiring_facts().idle.empty());
}

TEST(Wiring, AButtonWithoutAnyPullUpIsLoose) {
  Rig rig("part button key\npin 2\npressed at=1000 for=1000\n");
  rig->pin_mode(0, 2, PinMode::Input);
  rig->advance(ms(1));
  const WiringFacts facts = rig->wiring_facts();
  ASSERT_EQ(facts.loose.size(), 1u);
  EXPECT_EQ(facts.loose[0].part, "key");
  EXPECT_EQ(facts.loose[0].pin, 2u);
  EXPECT_TRUE(facts.idle.empty());
}

TEST(Wiring, APullUpHoldsAButton) {
  Rig rig("part button key\npin 2\n");
  rig->pin_mode(0, 2, PinMode::InputPullup);
  EXPECT_TRUE(rig->wiring_facts().loose.empty());
  Rig own("part button key\npin 2\nresistor true\n");
  EXPECT_TRUE(own->wiring_facts().loose.empty());
  Rig to_supply("part button key\npin 2\nwiring supply\n");
  EXPECT_TRUE(to_supply->wiring_facts().loose.empty());
}

}  // namespace
}  // namespace hocket::sim::test
