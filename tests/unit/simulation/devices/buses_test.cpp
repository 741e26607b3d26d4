// The simulated buses and the EEPROM: what devices answer, and how long it takes.
#include "rig.h"

namespace hocket::sim::test {
namespace {

using sys::I2cEnd;
using Bytes = std::vector<uint8_t>;

struct Outcome {
  I2cEnd end;
  Bytes in;
  Nanos lasts;
};

Outcome transfer(Rig& rig, Nanos now, uint8_t address, const Bytes& out, uint16_t reads = 0,
                 uint32_t hertz = 100'000, bool writes = true) {
  sys::I2cTransfer asked{};
  asked.out_size = static_cast<uint16_t>(out.size());
  asked.in_size = reads;
  asked.hertz = hertz;
  asked.address = address;
  asked.writes = writes;
  Bytes in(reads, 0xee);
  const I2cAnswer answer = rig->i2c_transfer(now, 0, asked, out.data(), in.data());
  in.resize(answer.received);
  return {answer.end, in, answer.lasts};
}

Outcome read(Rig& rig, Nanos now, uint8_t address, uint16_t bytes) {
  return transfer(rig, now, address, {}, bytes, 100'000, /*writes=*/false);
}

constexpr const char* kSensor =
    "part i2c_registers sensor\naddress 72\n"
    "registers register=0 is=17\nregisters register=1 is=-2\n"
    "registers register=2 is=0 to=200 over=1000000000\n"
    "registers register=3 is=250 step=3\nregisters register=4 is=99 access=read\n"
    "changes at=5000000 register=0 is=18\n";

TEST(I2cBus, TakesAClockForEachBitAndAcknowledgement) {
  Rig rig(kSensor);
  // Start, address, register, repeated start, address, two bytes, stop: 3 conditions, 5 bytes.
  EXPECT_EQ(transfer(rig, 0, 72, {0}, 2).lasts, us(10 * (3 + 5 * 9)));
  EXPECT_EQ(transfer(rig, 0, 72, {0}, 2, 400'000).lasts, 2'500u * (3 + 5 * 9));
  // Nobody there: over after the address.
  EXPECT_EQ(transfer(rig, 0, 73, {0, 1, 2}, 5).lasts, us(10 * (2 + 9)));
}

TEST(I2cBus, KeepsAClockThatCannotBeWithinWhatCan) {
  Rig rig(kSensor);
  EXPECT_EQ(transfer(rig, 0, 72, {}, 0, 0).lasts, transfer(rig, 0, 72, {}, 0, 1'000).lasts);
  EXPECT_EQ(transfer(rig, 0, 72, {}, 0, UINT32_MAX).lasts,
            transfer(rig, 0, 72, {}, 0, 5'000'000).lasts);
}

TEST(I2cBus, SaysThatNobodyIsThere) {
  Rig rig(kSensor);
  EXPECT_EQ(transfer(rig, 0, 72, {}).end, I2cEnd::Done);
  EXPECT_EQ(transfer(rig, 0, 71, {}).end, I2cEnd::NoDevice);
  const Outcome nothing = read(rig, 0, 71, 3);
  EXPECT_EQ(nothing.end, I2cEnd::NoDevice);
  EXPECT_TRUE(nothing.in.empty());
}

TEST(I2cBus, OtherBusesAreNotThere) {
  Rig rig(kSensor);
  sys::I2cTransfer asked{};
  asked.writes = true;
  asked.address = 72;
  EXPECT_EQ(rig->i2c_transfer(0, 1, asked, nullptr, nullptr).end, I2cEnd::Failed);
}

TEST(I2cBus, IsHeldUpByADeviceThatStretchesTheClock) {
  Rig rig(std::string(kSensor) + "stretch 50000\n");
  // Each of the five bytes, the addresses among them.
  EXPECT_EQ(transfer(rig, 0, 72, {0}, 2).lasts, us(10 * (3 + 5 * 9) + 5 * 50));
  // Nobody is there, so nobody stretches.
  EXPECT_EQ(transfer(rig, 0, 73, {0}).lasts, us(10 * (2 + 9)));
}

TEST(I2cBus, WaitsForADataLineThatIsHeldLow) {
  Rig rig(std::string(kSensor) + "holds line=sda at=1000000 for=3000000\n");
  const Nanos alone = us(10 * (2 + 2 * 9));
  EXPECT_EQ(transfer(rig, 0, 72, {0}).lasts, alone);
  const Outcome late = transfer(rig, ms(2), 72, {0});
  EXPECT_EQ(late.end, I2cEnd::Done);
  EXPECT_EQ(late.lasts, ms(2) + alone);
  EXPECT_EQ(transfer(rig, ms(4), 72, {0}).lasts, alone);
}

TEST(I2cBus, LosesWhatIsUnderWayWhenTheDataLineGoesLow) {
  const std::string held = std::string(kSensor) + "holds line=sda at=150000 for=10000\n";
  Rig writes(held);
  EXPECT_EQ(transfer(writes, 0, 72, {0}).end, I2cEnd::Failed);
  Rig reads(held);  // in the first of the bytes that are read
  const Outcome came = read(reads, 0, 72, 2);
  EXPECT_EQ(came.end, I2cEnd::Done);
  EXPECT_EQ(came.in, (Bytes{0, 254}));
}

TEST(I2cBus, StandsStillWhileTheClockIsHeldLow) {
  // Two holds meet; another one comes within a byte.
  Rig rig(std::string(kSensor) +
          "holds line=scl at=0 for=1000\nholds line=scl at=1000 for=1000\n"
          "holds line=scl at=100000 for=30000\n");
  const Outcome held = transfer(rig, 0, 72, {0});
  EXPECT_EQ(held.end, I2cEnd::Done);
  EXPECT_EQ(held.lasts, us(2 + 30 + 10 * (2 + 2 * 9)));
}

TEST(I2cBus, IsGivenUpWhenItIsHeldUpForTooLong) {
  Rig rig(std::string(kSensor) + "holds line=scl at=1000000\n");
  sys::I2cTransfer asked{};
  asked.writes = true;
  asked.address = 72;
  asked.hertz = 100'000;
  asked.timeout_us = 3'000;
  const I2cAnswer given_up = rig->i2c_transfer(ms(2), 0, asked, nullptr, nullptr);
  EXPECT_EQ(given_up.end, I2cEnd::TimedOut);
  EXPECT_GE(given_up.lasts, ms(3));
  EXPECT_LE(given_up.lasts, ms(3) + us(20));
  asked.timeout_us = 0;  // for ever, which no run lasts
  const I2cAnswer never = rig->i2c_transfer(ms(10), 0, asked, nullptr, nullptr);
  EXPECT_EQ(never.end, I2cEnd::TimedOut);
  EXPECT_GT(never.lasts, s(1'000'000));
}

TEST(I2cBus, ASlowClockIsNoReasonToGiveUp) {
  Rig rig(kSensor);
  sys::I2cTransfer asked{};
  asked.writes = true;
  asked.address = 72;
  asked.hertz = 1'000;
  asked.timeout_us = 100;
  EXPECT_EQ(rig->i2c_transfer(0, 0, asked, nullptr, nullptr).end, I2cEnd::Done);
}

TEST(I2cRegisters, ReadsFromTheRegisterThatWasNamed) {
  Rig rig(kSensor);
  EXPECT_EQ(transfer(rig, 0, 72, {0}, 2).in, (Bytes{17, 254}));
  EXPECT_EQ(read(rig, 0, 72, 1).in, (Bytes{0}));  // goes on: register 2
  transfer(rig, 0, 72, {1});
  EXPECT_EQ(read(rig, 0, 72, 1).in, (Bytes{254}));
}

TEST(I2cRegisters, FollowsTimeAndReads) {
  Rig rig(kSensor);
  EXPECT_EQ(transfer(rig, ms(250), 72, {2}, 1).in, (Bytes{50}));
  EXPECT_EQ(transfer(rig, ms(998), 72, {2}, 1).in, (Bytes{199}));
  EXPECT_EQ(transfer(rig, s(5), 72, {2}, 1).in, (Bytes{200}));
  EXPECT_EQ(transfer(rig, s(5), 72, {3}, 1).in, (Bytes{250}));
  EXPECT_EQ(transfer(rig, s(5), 72, {3}, 1).in, (Bytes{253}));
  EXPECT_EQ(transfer(rig, s(5), 72, {3}, 1).in, (Bytes{0}));
  EXPECT_EQ(transfer(rig, s(5), 72, {0}, 1).in, (Bytes{18}));
}

TEST(I2cRegisters, TakesValuesButWhereTheyAreOnlyRead) {
  Rig rig(kSensor);
  EXPECT_EQ(transfer(rig, 0, 72, {2, 7, 8, 9}).end, I2cEnd::Done);
  EXPECT_EQ(transfer(rig, s(1), 72, {2}, 3).in, (Bytes{7, 8, 99}));
  const std::string facts = rig->finish(s(2));
  EXPECT_NE(facts.find("\"writes_refused\": 1"), facts.npos) << facts;
  EXPECT_NE(facts.find("\"transfers\": 2"), facts.npos) << facts;
  EXPECT_EQ(fact(facts, "sensor", "bytes_written"), "3");
}

TEST(I2cRegisters, OfTwoBytesInEitherOrder) {
  for (const bool low_first : {false, true}) {
    Rig rig(std::string("part i2c_registers wide\naddress 64\nbytes 2\n") +
            (low_first ? "order low_first\n" : "") +
            "registers register=1 is=-300\nregisters register=2 is=513\n");
    const Bytes expected = low_first ? Bytes{0xd4, 0xfe, 1, 2} : Bytes{0xfe, 0xd4, 2, 1};
    EXPECT_EQ(transfer(rig, 0, 64, {1}, 4).in, expected);
    transfer(rig, 0, 64, {1, 0x12, 0x34});
    EXPECT_EQ(transfer(rig, 0, 64, {1}, 2).in, (Bytes{0x12, 0x34}));
  }
}

TEST(I2cRegisters, WithoutIncrementStaysAtOne) {
  Rig rig(
      "part i2c_registers adc\naddress 64\nauto_increment false\nregisters register=0 is=5 "
      "step=1\n");
  EXPECT_EQ(transfer(rig, 0, 64, {0}, 3).in, (Bytes{5, 6, 7}));
}

TEST(I2cRegisters, RefusesAnAddressThatIsTaken) {
  EXPECT_THROW(Rig("part i2c_registers a\naddress 64\npart i2c_registers b\naddress 64\n"),
               ScenarioError);
  EXPECT_THROW(Rig("part i2c_registers a\naddress 7\n"), ScenarioError);
  EXPECT_THROW(Rig("part i2c_registers a\n"), ScenarioError);
}

TEST(Eeprom24c, StoresAPageAndAcknowledgesNothingMeanwhile) {
  Rig rig("part eeprom_24c memory\n");
  EXPECT_EQ(transfer(rig, 0, 0x50, {0x01, 0x3e, 1, 2, 3}).end, I2cEnd::Done);
  EXPECT_EQ(transfer(rig, ms(4), 0x50, {}).end, I2cEnd::NoDevice);
  EXPECT_EQ(transfer(rig, ms(6), 0x50, {0x01, 0x3e}, 3).in, (Bytes{1, 2, 0xff}));
  // The third byte wrapped inside the page of 64: from 0x13f to 0x100.
  EXPECT_EQ(transfer(rig, ms(6), 0x50, {0x01, 0x00}, 2).in, (Bytes{3, 0xff}));
  const std::string facts = rig->finish(s(1));
  EXPECT_EQ(fact(facts, "memory", "used_bytes"), "3");
  EXPECT_EQ(fact(facts, "memory", "pages_stored"), "1");
  EXPECT_EQ(fact(facts, "memory", "refused_while_storing"), "1");
}

TEST(Eeprom24c, SmallKindsHaveBlocksAtAddressesOfTheirOwn) {
  Rig rig("part eeprom_24c memory\nkind 24C08\naddress 84\n");
  transfer(rig, 0, 86, {0x10, 7});
  EXPECT_EQ(transfer(rig, ms(10), 86, {0x10}, 1).in, (Bytes{7}));
  EXPECT_EQ(transfer(rig, ms(10), 84, {0x10}, 1).in, (Bytes{0xff}));
  EXPECT_EQ(transfer(rig, ms(10), 83, {}).end, I2cEnd::NoDevice);
  EXPECT_EQ(transfer(rig, ms(10), 88, {}).end, I2cEnd::NoDevice);
  EXPECT_THROW(Rig("part eeprom_24c memory\nkind 24C08\naddress 82\n"), ScenarioError);
}

TEST(Eeprom24c, ReadsGoOnAndRound) {
  Rig rig("part eeprom_24c memory\nkind 24C01\ncontent 0102\n");
  EXPECT_EQ(transfer(rig, 0, 0x50, {127}, 3).in, (Bytes{0xff, 1, 2}));
}

TEST(Eeprom, BeginsErasedAndKeepsItsContentInAFile) {
  const std::string file = temp_file("eeprom");
  std::string hex;
  for (const char c : file) {
    char digits[3];
    std::snprintf(digits, sizeof digits, "%02x", static_cast<unsigned char>(c));
    hex += digits;
  }
  const std::string scenario = "part eeprom memory\nfile " + hex + "\n";
  {
    Rig rig(scenario);
    EXPECT_EQ(rig->eeprom_read(0, 5), 0xff);
    rig->eeprom_write(1, 5, 42);
    rig->eeprom_write(2, 5, 43);
    rig->eeprom_write(3, 4096, 1);
    EXPECT_EQ(rig->eeprom_read(4, 4096), 0xff);
    const std::string facts = rig->finish(ms(1));
    EXPECT_EQ(fact(facts, "memory", "most_writes_of_a_byte"), "2");
    EXPECT_EQ(fact(facts, "memory", "used_bytes"), "1");
  }
  EXPECT_EQ(file_text(file).size(), 4096u);
  EXPECT_EQ(Rig(scenario)->eeprom_read(0, 5), 43);
  std::ofstream(file) << "short";
  EXPECT_THROW(Rig again(scenario), DeviceError);
}

TEST(SpiBus, FloatsHighAndTakesEightClocksAByte) {
  Rig rig;
  sys::SpiTransfer asked{};
  asked.size = 3;
  asked.hertz = 1'000'000;
  const Bytes out{1, 2, 3};
  Bytes in(3);
  EXPECT_EQ(rig->spi_transfer(0, 0, asked, out.data(), in.data()), us(24));
  EXPECT_EQ(in, (Bytes{0xff, 0xff, 0xff}));
}

}  // namespace
}  // namespace hocket::sim::test
