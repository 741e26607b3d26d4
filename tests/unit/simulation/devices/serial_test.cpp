// Serial ports: timing at the baud rate, buffers, losses, parts on the line.

#include "tests/unit/simulation/devices/rig.h"

namespace hocket::sim::test {
namespace {

TEST(SerialPort, BytesLeaveAtTheExactBaudRate) {
  Rig rig;
  ASSERT_TRUE(rig->serial_begin(0, 0, 115200));
  Nanos now = us(50);
  size_t queued = 0;
  while (queued < 1000) {
    const size_t taken = rig.write(now, 0, std::string(1000 - queued, 'x'));
    queued += taken;
    now = rig->serial_room_at(0, 1);
  }
  rig->advance(s(1));
  ASSERT_EQ(rig.sent.size(), 1000u);
  for (size_t i = 0; i < 1000; ++i)
    EXPECT_EQ(rig.sent[i].when, us(50) + (i + 1) * 10'000'000'000 / 115200);
}

TEST(SerialPort, ABufferOf64AndRoomInTime) {
  Rig rig;
  rig->serial_begin(0, 0, 10000);  // 1 ms a byte
  EXPECT_EQ(rig->serial_room(0, 0), 64u);
  EXPECT_EQ(rig.write(0, 0, std::string(100, 'a')), 64u);
  EXPECT_EQ(rig->serial_room(0, 0), 0u);
  EXPECT_EQ(rig.write(0, 0, "b"), 0u);
  EXPECT_EQ(rig->serial_room_at(0, 1), ms(1));
  EXPECT_EQ(rig->serial_room_at(0, 10), ms(10));
  EXPECT_EQ(rig->serial_room_at(0, 64), ms(64)) << "all has left";
  EXPECT_EQ(rig->serial_room(ms(1) - 1, 0), 0u);
  EXPECT_EQ(rig->serial_room(ms(1), 0), 1u);
  EXPECT_EQ(rig.write(ms(3), 0, "bcd"), 3u);
  rig->finish(s(1));
  EXPECT_EQ(rig.sent_text(), std::string(64, 'a') + "bcd");
  EXPECT_NE(rig->serial_facts().find("\"transmitter_full_us\": 2000}"), std::string::npos)
      << rig->serial_facts();
}

TEST(SerialPort, RatesAndPortsThatDoNotExist) {
  Rig rig;
  EXPECT_EQ(rig->serial_count(), 4u);
  EXPECT_FALSE(rig->serial_begin(0, 0, 299));
  EXPECT_FALSE(rig->serial_begin(0, 0, 2'000'001));
  EXPECT_TRUE(rig->serial_begin(0, 3, 9600));
  EXPECT_FALSE(rig->serial_begin(0, 4, 9600));
  EXPECT_FALSE(rig->serial_begun(0));
  EXPECT_EQ(rig->serial_room(0, 0), 0u);
  EXPECT_EQ(rig.write(0, 0, "x"), 0u);
  EXPECT_EQ(rig.write(0, 7, "x"), 0u);
  EXPECT_EQ(rig->serial_read(0, 7), -1);
}

TEST(SerialPort, EndDiscardsWhatIsQueued) {
  Rig rig;
  rig->serial_begin(0, 0, 10000);
  rig.write(0, 0, "abc");
  rig->serial_end(us(1500), 0);
  rig->serial_begin(ms(5), 0, 10000);
  rig.write(ms(5), 0, "d");
  rig->advance(s(1));
  EXPECT_EQ(rig.sent_text(), "ad");
  EXPECT_EQ(rig.sent.back().when, ms(6));
}

TEST(SerialPort, ScriptedTextArrivesAtTheRateAndOverrunsAreCounted) {
  std::string hex;
  for (int i = 0; i < 70; ++i) hex += "61";
  Rig rig("part serial gps\nport 1\nsend at=10000000 text=" + hex + "\n");
  rig->serial_begin(0, 1, 10000);
  EXPECT_EQ(rig->serial_data_at(1), ms(10)) << "worth looking when the part begins to send";
  EXPECT_EQ(rig->serial_available(ms(10), 1), 0u);
  EXPECT_EQ(rig->serial_data_at(1), ms(11));
  EXPECT_EQ(rig->serial_available(ms(11) - 1, 1), 0u);
  EXPECT_EQ(rig->serial_available(ms(11), 1), 1u);
  EXPECT_EQ(rig->serial_peek(ms(11), 1), 'a');
  EXPECT_EQ(rig->serial_available(s(1), 1), 64u);
  EXPECT_EQ(rig.received(s(1), 1).size(), 64u);
  EXPECT_EQ(rig->serial_data_at(1), UINT64_MAX);
  rig->finish(s(1));
  EXPECT_NE(rig->serial_facts().find("\"bytes_lost\": 6"), std::string::npos);
}

TEST(SerialPort, BytesToAPortThatIsNotBegunAreLost) {
  Rig rig("part serial gps\nport 1\nsend at=0 text=6162\n");
  rig->serial_begin(s(1), 1, 9600);
  EXPECT_EQ(rig->serial_available(s(2), 1), 0u);
}

TEST(SerialPart, DialogueAndExpectations) {
  // "ok" -> after 5 ms "go"; expects "ready", then "done"
  Rig rig(
      "part serial peer\nport 1\nsend after=6f6b wait=5000000 text=676f\nexpect 7265616479\nexpect "
      "646f6e65\n");
  rig->serial_begin(0, 1, 10000);
  EXPECT_EQ(rig->serial_data_at(1), UINT64_MAX);
  rig.write(0, 1, "done ok ready");
  EXPECT_EQ(rig->serial_data_at(1), ms(1)) << "an answer may come while the port sends";
  EXPECT_EQ(rig->serial_available(ms(13) - 1, 1),
            0u);  // "ok" is out at 7 ms, the answer begins at 12
  EXPECT_EQ(rig->serial_available(ms(14), 1), 2u);
  EXPECT_EQ(rig.received(ms(14), 1), "go");
  const std::string facts = rig->finish(s(1));
  EXPECT_EQ(fact(facts, "peer", "seen"), "1") << "done came before ready and does not count";
  EXPECT_EQ(fact(facts, "peer", "missing"), "\"done\"");
  EXPECT_EQ(fact(facts, "peer", "all_seen"), "false");
}

TEST(SerialPart, LoopbackReturnsEachByteAsItLeaves) {
  Rig rig("part loopback plug\nport 1\n");
  rig->serial_begin(0, 1, 10000);
  rig.write(0, 1, "hey");
  EXPECT_EQ(rig->serial_data_at(1), ms(1));
  EXPECT_EQ(rig.received(ms(2), 1), "he");
  EXPECT_EQ(rig.received(ms(3), 1), "y");
  EXPECT_EQ(fact(rig->finish(s(1)), "plug", "bytes"), "3");
}

}  // namespace
}  // namespace hocket::sim::test
