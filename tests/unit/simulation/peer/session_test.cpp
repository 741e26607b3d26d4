// The world's side of the protocol, in-process: what a kernel may rely on in the answers.
#include "simulation/peer/session.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cstring>

namespace hocket::world {
namespace {

constexpr Nanos kMs = 1'000'000;

/// The world's devices change pins in every way there is.
constexpr const char* kScenario =
    "hocket-scenario 1\n"
    "part hcsr04 sonar\ntrigger 11\necho 2\ndistance at=0 is=500000000\n"
    "part button b\npin 22\nbounce 3000000\nresistor true\npressed at=5000000 for=20000000\n"
    "part generator g\npin 23\ngaps.shortest 100\ngaps.longest 400000\n"
    "part serial gps\nport 1\nsend at=1000000 text=68656c6c6f\nsend after=6f wait=100000 "
    "text=6f6b\n"
    "part loopback l\nport 0\n"
    "part i2c_registers thermo\naddress 72\nregisters register=1 is=7\n";

struct World {
  explicit World(const program::Options& chosen = options(),
                 const std::string& scenario = kScenario)
      : settings(chosen),
        console(settings),
        devices(sim::Devices::create({.seed = 3, .scenario = scenario, .vcd_file = ""}, console)),
        session(settings, *devices, console, log) {}

  static program::Options options() {
    program::Options all;
    all.duration = 1000 * kMs;
    return all;
  }

  Reply say(Operation operation, Nanos time, uint64_t a = 0, uint64_t b = 0, uint64_t c = 0,
            const std::string& payload = "") {
    return whole(operation, time, a, b, c, payload).reply;
  }
  Answer whole(Operation operation, Nanos time, uint64_t a = 0, uint64_t b = 0, uint64_t c = 0,
               const std::string& payload = "") {
    const Request request{.payload = static_cast<uint32_t>(payload.size()),
                          .operation = static_cast<uint16_t>(operation),
                          .core = 0,
                          .time = time,
                          .a = a,
                          .b = b,
                          .c = c};
    return session.handle(request,
                          {reinterpret_cast<const uint8_t*>(payload.data()), payload.size()});
  }
  Reply hello() { return say(Operation::Hello, 0, kVersion, 8); }

  program::Options settings;
  WorldConsole console;
  std::unique_ptr<sim::Devices> devices;
  program::LogFile log;
  Session session;
};

bool level(const Reply& reply, unsigned pin) {
  return (reply.levels[pin / 64] >> pin % 64 & 1) != 0;
}

// --- Buses ---

TEST(Buses, ATransferIsAnsweredWithItsBytesAndHowLongItLasts) {
  World world;
  world.hello();
  const I2cWords words{
      .hertz = 100'000, .timeout_us = 25'000, .address = 0x48, .writes = true, .reads = 2};
  const Answer answer = world.whole(Operation::I2cTransfer, 5, 0, words.b(), words.c(), "\x01");
  I2cAnswer said;
  ASSERT_EQ(answer.payload.size(), sizeof said + 2);
  EXPECT_EQ(answer.reply.payload, answer.payload.size());
  std::memcpy(&said, answer.payload.data(), sizeof said);
  EXPECT_EQ(said.end, static_cast<uint32_t>(sys::I2cEnd::Done));
  EXPECT_EQ(said.received, 2u);
  EXPECT_EQ(said.lasts, 480'000u);  // 3 conditions and 5 bytes of 9 clocks
  EXPECT_EQ(answer.payload[sizeof said], 7);
  const Answer nobody = world.whole(Operation::I2cTransfer, 5, 0, 100'000, 0x49 | 1 << 8);
  EXPECT_EQ(nobody.payload.size(), sizeof said);
}

TEST(Buses, WhatComesOverSpiIsSentOnlyWhenItIsWanted) {
  World world;
  world.hello();
  SpiWords words{.hertz = 1'000'000, .mode = 0, .lowest_first = false, .wanted = true, .size = 3};
  const Answer wanted = world.whole(Operation::SpiTransfer, 5, 0, words.hertz, words.c(), "abc");
  EXPECT_EQ(wanted.payload, (std::vector<uint8_t>{0xff, 0xff, 0xff}));
  EXPECT_EQ(wanted.reply.value, 24'000);
  words.wanted = false;
  EXPECT_TRUE(world.whole(Operation::SpiTransfer, 6, 0, words.hertz, words.c()).payload.empty());
}

TEST(Buses, TransfersThatAreNoneEndTheSession) {
  World world;
  world.hello();
  EXPECT_THROW(world.say(Operation::I2cTransfer, 5, 0, 100'000, 1025u << 8), ProtocolError);
  EXPECT_THROW(world.say(Operation::SpiTransfer, 5, 0, 100'000, 4u << 8, "abc"), ProtocolError);
  EXPECT_THROW(world.say(Operation::SpiTransfer, 5, 0, 100'000, 4097u << 8), ProtocolError);
}

TEST(Buses, TheEepromKeepsWhatIsWritten) {
  World world;
  world.hello();
  EXPECT_EQ(world.say(Operation::EepromRead, 5, 9).value, 255);
  world.say(Operation::EepromWrite, 5, 9, 42);
  EXPECT_EQ(world.say(Operation::EepromRead, 5, 9).value, 42);
}

// --- Levels and how long they hold ---

TEST(Levels, AKernelThatTrustsThemSeesWhatOneSeesThatAlwaysAsks) {
  const bool held = rc::check("levels hold until quiet_until", [] {
    World trusting, asking;
    Reply last = trusting.hello();
    asking.hello();
    Nanos now = 0;
    const auto steps = *rc::gen::inRange(1, 60);
    for (int i = 0; i < steps; ++i) {
      now += *rc::gen::inRange<Nanos>(0, 2 * kMs);
      const unsigned pin = *rc::gen::element(2u, 9u, 11u, 22u, 23u, 54u, 69u);
      const auto act = [&](World& world) {
        switch (i % 5) {
          case 0:
            return world.say(Operation::PinMode, now, pin, i % 3);
          case 1:
            return world.say(Operation::PinWrite, now, pin, i % 2);
          case 2:
            return world.say(Operation::PwmWrite, now, 9, 1 + i, 255);
          case 3:
            return world.say(Operation::SerialBegin, now, i % 2, 9600);
          default:
            return world.say(Operation::SerialWrite, now, i % 2, 0, 0, "foo");
        }
      };
      if (*rc::gen::arbitrary<bool>()) {
        last = act(trusting);
        act(asking);
      }
      now += *rc::gen::inRange<Nanos>(0, kMs / 2);
      // Any instant: the trusting kernel asks only when the levels do not hold any more.
      if (now >= last.quiet_until) last = trusting.say(Operation::Look, now);
      for (const unsigned each : {2u, 9u, 11u, 22u, 23u, 54u, 69u}) {
        const int64_t right = asking.say(Operation::PinRead, now, each).value;
        RC_ASSERT(level(last, each) == (right != 0));
      }
    }
  });
  EXPECT_TRUE(held);
}

TEST(Levels, NothingArrivesAtAPortBeforeQuietUntil) {
  World world;
  Reply reply = world.hello();
  world.say(Operation::SerialBegin, 0, 1, 9600);
  reply = world.say(Operation::SerialAvailable, 0, 1);
  EXPECT_EQ(reply.value, 0);
  int changes = 0;
  int64_t waiting = 0;
  while (reply.quiet_until < 10 * kMs) {
    const Nanos before = reply.quiet_until - 1;
    World other;  // asked just before: still the same
    other.hello();
    other.say(Operation::SerialBegin, 0, 1, 9600);
    EXPECT_EQ(other.say(Operation::SerialAvailable, before, 1).value, waiting);
    reply = world.say(Operation::SerialAvailable, reply.quiet_until, 1);
    if (reply.value != waiting) ++changes;
    waiting = reply.value;
  }
  EXPECT_EQ(changes, 5) << "hello";
}

TEST(Levels, ALevelThatIsOnlyToldMakesNoPinUsed) {
  World world(World::options(), "hocket-scenario 1\n");
  for (int i = 0; i < 3; ++i) {
    if (i == 0)
      world.hello();
    else
      world.say(Operation::Look, i);
  }
  EXPECT_TRUE(world.devices->notices().empty());
  EXPECT_EQ(world.say(Operation::Look, 10).levels[0], 0u);
  EXPECT_EQ(world.say(Operation::Look, 11).quiet_until, kNever);
}

// --- When the world wants to be asked ---

TEST(LookAt, IsAGridUnlessATextMayEndTheRun) {
  World world;
  EXPECT_EQ(world.hello().look_at, 100 * kMs);
  world.say(Operation::SerialBegin, 1 * kMs, 0, 9600);
  EXPECT_EQ(world.say(Operation::SerialWrite, 1 * kMs, 0, 0, 0, "text").look_at, 100 * kMs);
  EXPECT_EQ(world.say(Operation::Look, 100 * kMs).look_at, 200 * kMs);
  EXPECT_EQ(world.say(Operation::Look, 250 * kMs).look_at, 300 * kMs);
}

TEST(LookAt, IsWhenTheWantedTextHasLeft) {
  program::Options options = World::options();
  options.expect_texts = {"xt"};
  World world(options);
  world.hello();
  world.say(Operation::SerialBegin, 0, 0, 10'000);  // a byte takes 1 ms
  const Reply written = world.say(Operation::SerialWrite, 1 * kMs, 0, 0, 0, "text and more");
  EXPECT_EQ(written.look_at, 5 * kMs);
  EXPECT_FALSE(written.stop);
  EXPECT_FALSE(world.say(Operation::Look, 5 * kMs - 1).stop);
  const Reply left = world.say(Operation::Look, 5 * kMs);
  EXPECT_TRUE(left.stop);
  EXPECT_EQ(left.look_at, 100 * kMs);
}

TEST(LookAt, IsWhenTheFirstByteBeyondTheLimitHasLeft) {
  program::Options options = World::options();
  options.serial_limit = 5;
  World world(options);
  world.hello();
  world.say(Operation::SerialBegin, 0, 0, 10'000);
  EXPECT_EQ(world.say(Operation::SerialWrite, 0, 0, 0, 0, "12345").look_at, 100 * kMs);
  EXPECT_EQ(world.say(Operation::SerialWrite, 10 * kMs, 0, 0, 0, "67").look_at, 11 * kMs);
}

TEST(Stop, IsSaidWhenTheTimeIsOverAndWhenAsked) {
  World world;
  EXPECT_FALSE(world.hello().stop);
  EXPECT_FALSE(world.say(Operation::Look, 1000 * kMs - 1).stop);
  EXPECT_TRUE(world.say(Operation::Look, 1000 * kMs).stop);
  World asked;
  asked.hello();
  asked.session.ask_to_stop();
  EXPECT_TRUE(asked.say(Operation::Look, 1).stop);
}

// --- What moves time ---

TEST(Time, StandsStillForTheReport) {
  World world;
  world.hello();
  world.say(Operation::SerialBegin, 0, 0, 10'000);
  world.say(Operation::SerialWrite, 0, 0, 0, 0, "abc");
  world.say(Operation::Notice, 50 * kMs, 0, 0, 0, "said late");
  EXPECT_EQ(world.session.reached(), 0u);
  EXPECT_EQ(world.devices->serial_room(0, 0), 61u);
}

TEST(Time, GoesNoFurtherThanALittleBehindTheEnd) {
  World world;
  world.hello();
  world.say(Operation::Look, 1000 * kMs + FactKeeper::kGrace);
  EXPECT_THROW(world.say(Operation::Look, 1000 * kMs + FactKeeper::kGrace + 1), ProtocolError);
}

}  // namespace
}  // namespace hocket::world
