// What is said of wrong wires names the pins as sketches do.
#include "simulation/program/wiring.h"

#include <gtest/gtest.h>

namespace hocket::program {
namespace {

using Texts = std::vector<std::string>;

TEST(WiringNotices, SayWhereAPartIsAndWhatIsDriven) {
  EXPECT_EQ(
      wiring_notices({.driven = {7, 9}, .undriven = {8}, .idle = {{"lamp", {8}}}, .loose = {}}),
      Texts{"nothing drove pin 8, where lamp is; the sketch drives pins 7 and 9"});
  EXPECT_EQ(
      wiring_notices({.driven = {}, .undriven = {}, .idle = {{"arms", {4, 5, 54}}}, .loose = {}}),
      Texts{"nothing drove pins 4, 5 and A0, where arms is; the sketch drives no pin"});
}

TEST(WiringNotices, SayHowToPullAButtonUp) {
  EXPECT_EQ(wiring_notices({.driven = {}, .undriven = {}, .idle = {}, .loose = {{"key", 55}}}),
            Texts{"key is between pin A1 and ground, and nothing pulls the pin up: "
                  "pinMode(A1, INPUT_PULLUP), or resistor: true"});
}

TEST(WiringNotices, SayNothingWhereAllIsWell) {
  EXPECT_EQ(wiring_notices({.driven = {7}, .undriven = {3}, .idle = {}, .loose = {}}), Texts{});
}

}  // namespace
}  // namespace hocket::program
