// Whoever asks first decides why all cores stop.
#include "arduino/cores/protected/kernel/stopping.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace hocket::stopping {
namespace {

class Stopping : public ::testing::Test {
 protected:
  void SetUp() override { detail::why.store(0, order::relaxed); }
};

TEST_F(Stopping, NothingIsUnderWayAtFirst) {
  EXPECT_EQ(why(), Why::Nothing);
}

TEST_F(Stopping, TheFirstToAskDecides) {
  for (const Why first : {Why::End, Why::Restart}) {
    SetUp();
    const Why second = first == Why::End ? Why::Restart : Why::End;
    EXPECT_TRUE(ask(first));
    EXPECT_FALSE(ask(second));
    EXPECT_FALSE(ask(first));
    EXPECT_EQ(why(), first);
  }
}

TEST_F(Stopping, OfManyAtOnceOneDecides) {
  for (unsigned round = 0; round < 200; ++round) {
    SetUp();
    std::atomic<unsigned> decided{0};
    std::atomic<Why> decision{Why::Nothing};
    std::vector<std::thread> cores;
    for (unsigned core = 0; core < 4; ++core) {
      cores.emplace_back([&, wanted = core % 2 == 0 ? Why::End : Why::Restart] {
        if (!ask(wanted)) return;
        ++decided;
        decision = wanted;
      });
    }
    for (std::thread& core : cores) core.join();
    ASSERT_EQ(decided, 1u);
    ASSERT_EQ(why(), decision);
  }
}

}  // namespace
}  // namespace hocket::stopping
