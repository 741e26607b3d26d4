// A board's serial port: how much is done in one section, and what waits outside of all.
#include "arduino/surroundings/native/serial_port.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "drivers/pl011/pl011.h"
#include "tests/unit/drivers/model_bus.h"
#include "tests/unit/drivers/pl011_model.h"

namespace {

using Model = hocket::drivers::testing::Pl011Model;
using Bus = hocket::drivers::testing::ModelBus<Model>;
using Uart = hocket::drivers::Pl011<Model::kBase, 256, 256, Bus>;

/// One core, and what happens in its ordinary sections.
struct Port {
  using IrqState = bool;
  using Ticks = int64_t;
  static constexpr uint64_t kTickHz = 1'000'000'000;
  struct Lock {
    bool held = false;
  };

  static IrqState ordinary_save() {
    const bool before = masked;
    if (!before) accesses_before = Bus::model->accesses;
    masked = true;
    return before;
  }
  static void ordinary_restore(IrqState state) {
    masked = state;
    if (masked) return;
    most_accesses = std::max(most_accesses, Bus::model->accesses - accesses_before);
    for (int i = 0; i < sent_between_sections; ++i) Bus::model->send_one();
    if (const auto others = std::exchange(between, nullptr)) {
      others();
      between = others;
    }
  }
  static void lock(Lock& lock) {
    EXPECT_FALSE(lock.held) << "a section waits for another one";
    lock.held = true;
  }
  static void unlock(Lock& lock) { lock.held = false; }
  static Ticks now() { return time; }
  static bool line_attach(unsigned, hocket::port::LineHandler, void*, hocket::port::LineUse) {
    return true;
  }
  static void line_unmask(unsigned) {}
  static void halt(const char*) {}

  static inline bool masked = false;
  static inline unsigned accesses_before = 0, most_accesses = 0;
  static inline int sent_between_sections = 0;
  static inline std::function<void()> between;  // what others do there
  static inline Ticks time = 0;
};

using Serial = hocket::SerialPort<Port, Uart, 24'000'000, 33>;

class SerialPortTest : public ::testing::Test {
 protected:
  SerialPortTest() {
    Bus::model = &model;
    Port::sent_between_sections = 0;
    EXPECT_TRUE(Serial::begin(115'200, [](uint64_t) {}));
    drain();
    Port::most_accesses = 0;
  }
  ~SerialPortTest() override { drain(); }
  void drain() {
    while (!Serial::idle()) {
      model.send_one();
      if (model.asks()) Serial::serve(nullptr);
    }
    model.line.clear();
  }
  Model model;
};

std::vector<uint8_t> text(size_t size) {
  std::vector<uint8_t> bytes(size);
  for (size_t i = 0; i < size; ++i) bytes[i] = static_cast<uint8_t>(i);
  return bytes;
}

/// A line as fast as QEMU's, whose FIFO is never full: the longest sections there are.
TEST_F(SerialPortTest, NoSectionMovesMoreThanAFewBytes) {
  Port::sent_between_sections = 16;
  const auto bytes = text(250);
  EXPECT_EQ(Serial::write(bytes.data(), bytes.size()), bytes.size());
  EXPECT_LE(Port::most_accesses, 2 * 16u + 2);
}

TEST_F(SerialPortTest, ALongWriteTakesWhatThereIsRoomForInOrder) {
  const auto bytes = text(250);
  std::vector<uint8_t> all = bytes;
  EXPECT_EQ(Serial::write(bytes.data(), 250), 250u);
  EXPECT_EQ(Serial::write(bytes.data(), 250), 22u);  // 256 queued, 16 in the FIFO
  all.insert(all.end(), bytes.begin(), bytes.begin() + 22);
  while (!Serial::idle()) {
    model.send_one();
    if (model.asks()) Serial::serve(nullptr);
  }
  EXPECT_EQ(model.line, all);
}

TEST_F(SerialPortTest, ANewRateWaitsAsleepForTheFifoAndNeverInASection) {
  ASSERT_TRUE(Serial::begin(300, [](uint64_t) {}));
  const auto bytes = text(100);
  EXPECT_EQ(Serial::write(bytes.data(), 100), 100u);
  unsigned sleeps = 0;
  EXPECT_TRUE(Serial::begin(9600, [&](uint64_t ns) {
    EXPECT_FALSE(Port::masked);
    EXPECT_EQ(ns, 33'333'333u);
    model.send_one();
    if (model.asks()) Serial::serve(nullptr);
    ++sleeps;
  }));
  EXPECT_EQ(sleeps, 16u);
  EXPECT_EQ(model.line.size(), 16u);  // at the old rate; all others at the new one
  while (!Serial::idle()) {
    model.send_one();
    if (model.asks()) Serial::serve(nullptr);
  }
  EXPECT_EQ(model.line, bytes);
  EXPECT_LE(Port::most_accesses, 4 * 16u);
}

TEST_F(SerialPortTest, ALineThatNeverGetsFreeIsNotWaitedForLong) {
  const auto bytes = text(100);
  EXPECT_EQ(Serial::write(bytes.data(), 100), 100u);
  unsigned sleeps = 0;
  EXPECT_TRUE(Serial::begin(9600, [&](uint64_t) { ++sleeps; }));
  EXPECT_EQ(sleeps, 33u);
}

TEST_F(SerialPortTest, RatesBelowTheLowestAreRefused) {
  EXPECT_FALSE(Serial::begin(299, [](uint64_t) {}));
  EXPECT_FALSE(Serial::begun());
  EXPECT_EQ(Serial::write(text(3).data(), 3), 0u);
  EXPECT_TRUE(Serial::begin(300, [](uint64_t) {}));
}

/// Between the pieces of a line of the system's own no other bytes come, for a while.
TEST_F(SerialPortTest, ALineOfTheSystemIsWhole) {
  const auto bytes = text(200);
  unsigned tried = 0;
  size_t taken = 0;
  Port::between = [&] {
    const uint8_t byte = 255;
    ++tried;
    taken += Serial::write(&byte, 1);
  };
  Serial::tell(bytes.data(), bytes.size(), [](uint64_t) {});
  Port::between = nullptr;
  EXPECT_GE(tried, 13u);
  EXPECT_EQ(taken, 1u);  // after its end
  while (!Serial::idle()) {
    model.send_one();
    if (model.asks()) Serial::serve(nullptr);
  }
  std::vector<uint8_t> all = bytes;
  all.push_back(255);
  EXPECT_EQ(model.line, all);
}

}  // namespace
