// Serial to Serial3 on the system's ports, and serialEvent().
#include <Arduino.h>
#include <gtest/gtest.h>

#include "fake_system.h"

namespace {

constexpr uint64_t kMillisecond = 1000000;
std::string events;

}  // namespace

void serialEvent() {
  events += '0';
  while (Serial.available()) events += static_cast<char>(Serial.read());
}
void serialEvent3() {
  events += '3';
  while (Serial3.available()) events += static_cast<char>(Serial3.read());
}

namespace {

class SerialPorts : public ::testing::Test {
 protected:
  void SetUp() override {
    reset_fake();
    events.clear();
    Serial.begin(9600);
    fake().taken();
  }
};

TEST_F(SerialPorts, BeginAndEnd) {
  Serial1.begin(115200);
  Serial1.begin(9600, SERIAL_8N1);
  Serial1.end();
  EXPECT_EQ(fake().taken(),
            (std::vector<std::string>{"serial_begin 1 115200", "serial_begin 1 9600",
                                      "serial_flush 1", "serial_end 1"}));
  EXPECT_EQ(Serial1.println("lost"), 0u);
  while (!Serial) FAIL() << "the usual wait for the port ends at once";
}

TEST_F(SerialPorts, ARefusedPortSaysSo) {
  Serial.begin(123456789);
  EXPECT_FALSE(static_cast<bool>(Serial));
  Serial.begin(9600);
  EXPECT_TRUE(static_cast<bool>(Serial));
  Serial.begin(9600, SERIAL_7E1);
  EXPECT_FALSE(static_cast<bool>(Serial));
  EXPECT_EQ(Serial.print("x"), 0u);
  Serial.begin(9600);
  EXPECT_TRUE(static_cast<bool>(Serial));
}

TEST_F(SerialPorts, LinesLeaveWhole) {
  Serial.print("a=");
  Serial.println(analogRead(A0));
  Serial.println("done");
  EXPECT_EQ(fake().ports[0].writes, (std::vector<std::string>{"a=", "0\r\n", "done\r\n"}));
}

TEST_F(SerialPorts, WriteTakesNumbersAsBytes) {
  Serial.write(0);
  Serial.write(65);
  Serial.write('b');
  Serial.write(66L);
  Serial.write(67ul);
  Serial.write(static_cast<uint8_t>(68));
  Serial.write(69LL);
  Serial.write("text");
  const uint8_t bytes[] = {1, 2};
  Serial.write(bytes, 2);
  EXPECT_EQ(fake().ports[0].sent(), std::string("\0AbBCDEtext\1\2", 13));
}

TEST_F(SerialPorts, Reading) {
  EXPECT_EQ(Serial.read(), -1);
  EXPECT_EQ(Serial.peek(), -1);
  fake().ports[0].receive("12 x");
  EXPECT_EQ(Serial.available(), 4);
  EXPECT_EQ(Serial.peek(), '1');
  EXPECT_EQ(Serial.parseInt(), 12);
  EXPECT_EQ(Serial.read(), ' ');
  EXPECT_EQ(Serial1.available(), 0);
  fake().ports[0].room = 17;
  EXPECT_EQ(Serial.availableForWrite(), 17);
  Serial.flush();
  EXPECT_EQ(fake().taken(), std::vector<std::string>{"serial_flush 0"});
}

TEST_F(SerialPorts, WaitingSleepsUntilTheByteComes) {
  fake().ports[0].receive("7", 400 * kMillisecond);
  fake().ports[0].receive(";", 450 * kMillisecond);
  EXPECT_EQ(Serial.parseInt(), 7);
  EXPECT_EQ(fake().now, 450 * kMillisecond) << "the byte after the number ends it";
  EXPECT_EQ(fake().taken(), std::vector<std::string>{}) << "no polling";
}

TEST_F(SerialPorts, EventsRunWhenThereAreBytes) {
  serialEventRun();
  EXPECT_EQ(events, "");
  fake().ports[0].receive("go");
  fake().ports[1].receive("x");  // this program has no serialEvent1()
  serialEventRun();
  EXPECT_EQ(events, "0go");
  serialEventRun();
  EXPECT_EQ(events, "0go");
  EXPECT_EQ(Serial1.available(), 1);
  fake().ports[3].receive("y");
  serialEventRun();
  EXPECT_EQ(events, "0go3y");
}

TEST_F(SerialPorts, EachIsAPortOfItsOwn) {
  Serial2.begin(9600);
  Serial3.begin(9600);
  Serial2.print("two");
  Serial3.print("three");
  EXPECT_EQ(fake().ports[1].sent(), "");
  EXPECT_EQ(fake().ports[2].sent(), "two");
  EXPECT_EQ(fake().ports[3].sent(), "three");
}

}  // namespace
