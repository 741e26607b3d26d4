// PL011: its driver on a model of the UART.
#include "drivers/pl011/pl011.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <deque>
#include <vector>

#include "tests/unit/drivers/model_bus.h"
#include "tests/unit/drivers/pl011_model.h"

namespace {

using hocket::drivers::testing::ModelBus;

using Model = hocket::drivers::testing::Pl011Model;
constexpr uintptr_t kBase = Model::kBase;
constexpr uint32_t kReceive = Model::kReceive, kTransmit = Model::kTransmit,
                   kTimeout = Model::kTimeout, kOverrun = Model::kOverrun;

using Bus = ModelBus<Model>;
using Uart = hocket::drivers::Pl011<kBase, 32, 24, Bus>;

/// The driver's queues outlive a test: brings them back to empty.
void start(Model& model) {
  Bus::model = &model;
  uint8_t byte;
  while (Uart::take_byte(byte)) {
  }
  ASSERT_TRUE(Uart::init(115'200, 24'000'000));
  while (!Uart::idle()) {
    model.send_one();
    if (model.asks()) Uart::interrupt();
  }
  model.line.clear();
}

TEST(Pl011, SetsTheLineUp) {
  Model model;
  start(model);
  EXPECT_EQ(model.taken_integer, 13u);   // 24 MHz / (16 · 115200) = 13.0208
  EXPECT_EQ(model.taken_fraction, 1u);   // 0.0208 · 64 = 1.33
  EXPECT_EQ(model.line_control, 0x70u);  // 8 bits, FIFOs
  EXPECT_EQ(model.control, 0x301u);
  EXPECT_EQ(model.mask, kReceive | kTimeout | kOverrun);
}

TEST(Pl011, RefusesRatesWithoutDivisor) {
  Model model;
  Bus::model = &model;
  EXPECT_FALSE(Uart::init(0, 48'000'000));
  EXPECT_FALSE(Uart::init(3'100'000, 48'000'000));  // below 1
  EXPECT_TRUE(Uart::init(3'000'000, 48'000'000));   // exactly 1
  EXPECT_FALSE(Uart::init(45, 48'000'000));         // above 65535
  EXPECT_TRUE(Uart::init(46, 48'000'000));
  EXPECT_FALSE(Uart::init(1, 4'294'967'295));
  EXPECT_EQ(model.control, 0u);
}

/// Nothing may wait for the line: a FIFO that is full takes 5 ms at 300 bits per second for a byte.
TEST(Pl011, NoCallWaitsForTheLine) {
  Model model;
  start(model);
  const std::vector<uint8_t> bytes(40, 'x');
  EXPECT_EQ(Uart::queue_bytes(bytes.data(), bytes.size()), 32u);
  EXPECT_EQ(model.transmit.size(), 16u);
  model.accesses = 0;
  Uart::pause();
  EXPECT_FALSE(Uart::quiet());
  EXPECT_EQ(model.mask & kTransmit, 0u);
  model.send_one();
  Uart::interrupt();
  EXPECT_EQ(model.transmit.size(), 15u);  // nothing follows
  EXPECT_TRUE(Uart::init(300, 24'000'000));
  EXPECT_LE(model.accesses, 100u);
  EXPECT_EQ(model.transmit.size(), 16u);  // what was queued goes on
  while (!Uart::idle()) {
    model.send_one();
    if (model.asks()) Uart::interrupt();
  }
  EXPECT_EQ(model.line.size(), 1u + 16u);
}

TEST(Pl011, CountsWhatTheLineSpoiled) {
  Model model;
  start(model);
  const uint32_t before = Uart::line_errors();
  model.arrive('a');
  model.arrive('b' | 1u << 8);    // framing
  model.arrive(0x00 | 1u << 10);  // break
  model.arrive('c');
  model.silence();
  EXPECT_TRUE(Uart::interrupt().received);
  EXPECT_EQ(Uart::available(), 2u);
  EXPECT_EQ(Uart::line_errors() - before, 2u);
}

TEST(Pl011, LastWordsPassTheQueues) {
  Model model;
  start(model);
  Uart::write_polled("stop", 4);
  EXPECT_EQ(model.transmit, (std::deque<uint8_t>{'s', 't', 'o', 'p'}));
}

/// Whatever the order of writes, sent bytes and interrupts: every byte accepted is sent once, in
/// order, and the transmit interrupt is on exactly while there is something to do for it.
RC_GTEST_PROP(Pl011, SendsEveryByteOnceInOrder, ()) {
  Model model;
  start(model);
  std::vector<uint8_t> accepted;
  uint8_t next = 0;
  const auto steps = *rc::gen::inRange(1, 80);
  for (int i = 0; i < steps; ++i) {
    if (*rc::gen::arbitrary<bool>()) {
      std::vector<uint8_t> bytes(*rc::gen::inRange<size_t>(0, 50));
      for (uint8_t& byte : bytes) byte = next++;
      const size_t room = Uart::room();
      const size_t taken = Uart::queue_bytes(bytes.data(), bytes.size());
      RC_ASSERT(taken >= std::min(room, bytes.size()));
      accepted.insert(accepted.end(), bytes.begin(), bytes.begin() + static_cast<long>(taken));
      next = static_cast<uint8_t>(next - (bytes.size() - taken));
    } else {
      const auto count = *rc::gen::inRange(0, 20);
      for (int sent = 0; sent < count; ++sent) model.send_one();
      if (model.asks()) Uart::interrupt();
    }
    const bool waiting = Uart::room() < 32;
    RC_ASSERT(((model.mask & kTransmit) != 0) == waiting);
  }
  for (int i = 0; i < 200; ++i) {
    model.send_one();
    if (model.asks()) Uart::interrupt();
  }
  RC_ASSERT(Uart::idle());
  RC_ASSERT(model.line == accepted);
}

/// Every byte that arrives in the FIFO is taken once, in order, however slow the reader is; what
/// finds it full is counted (one count for each row of lost bytes).
RC_GTEST_PROP(Pl011, ReceivesOrCountsEveryByte, ()) {
  Model model;
  start(model);
  const uint32_t overruns = Uart::overruns();
  std::vector<uint8_t> in_fifo, taken;
  uint32_t rows_lost = 0;
  bool losing = false;
  uint8_t next = 0;
  const auto steps = *rc::gen::inRange(1, 150);
  for (int i = 0; i < steps; ++i) {
    switch (*rc::gen::inRange(0, 4)) {
      case 0:
      case 1:
        for (auto count = *rc::gen::inRange(1, 12); count > 0; --count, ++next) {
          if (model.arrive(next)) {
            in_fifo.push_back(next);
            if (losing) ++rows_lost;  // told with the first byte after
            losing = false;
          } else {
            losing = true;
          }
        }
        break;
      case 2:
        model.silence();
        if (model.asks()) Uart::interrupt();
        RC_ASSERT(!model.asks());
        break;
      default:
        uint8_t byte;
        for (auto count = *rc::gen::inRange(0, 40); count > 0 && Uart::take_byte(byte); --count) {
          taken.push_back(byte);
          Uart::resume();
        }
    }
  }
  model.silence();
  if (model.asks()) Uart::interrupt();
  uint8_t byte;
  while (Uart::take_byte(byte)) {
    taken.push_back(byte);
    Uart::resume();
  }
  RC_ASSERT(Uart::overruns() - overruns == rows_lost);
  RC_ASSERT(taken == in_fifo);
}

}  // namespace
