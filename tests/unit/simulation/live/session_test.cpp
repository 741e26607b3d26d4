// A watched run from outside: what it says of the board's pins, and how many touches it keeps.
#include "simulation/live/session.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>

namespace hocket::live::test {
namespace {

class Silent final : public sim::DeviceSink {
  void serial_out(sim::Nanos, unsigned, uint8_t) override {}
};

/// A session that nobody steps but the test.
class Watched {
 public:
  Watched() {
    if (pipe(commands_.data()) != 0 || pipe(answers_.data()) != 0) ADD_FAILURE() << "no pipe";
    fcntl(answers_[0], F_SETFL, O_NONBLOCK);  // a test that hears nothing ends
    options_.in = commands_[0];
    options_.out = answers_[1];
    session_.emplace(options_, *devices_, recorder_);
  }
  ~Watched() {
    for (const int end : {commands_[0], commands_[1], answers_[0], answers_[1]}) close(end);
  }

  /// What it says of the pins.
  std::string begin(const program::RunFacts& facts) {
    session_->begin(facts, 1'000'000'000,
                    {[] {}, [] { return false; }, [](Nanos) { return Counts{}; }});
    return heard();
  }
  void say(const std::string& line) {
    const std::string whole = line + "\n";
    ASSERT_EQ(write(commands_[1], whole.data(), whole.size()), static_cast<ssize_t>(whole.size()));
  }
  /// All that has come.
  std::string heard() {
    std::string text;
    std::array<char, 1 << 16> bytes{};
    const ssize_t size = read(answers_[0], bytes.data(), bytes.size());
    if (size > 0) text.assign(bytes.data(), static_cast<size_t>(size));
    return text;
  }
  Session& operator*() { return *session_; }

 private:
  using Counts = std::vector<program::LoopCounts>;
  Silent sink_;
  std::unique_ptr<sim::Devices> devices_ = sim::Devices::create({}, sink_);
  Recorder recorder_{1, {}};
  std::array<int, 2> commands_{}, answers_{};
  LiveOptions options_;
  std::optional<Session> session_;
};

/// What the hello says of a pin; nothing: the board has none of this name.
std::string pin(const std::string& hello, const std::string& name) {
  const size_t at = hello.find("\"name\": \"" + name + "\"");
  if (at == hello.npos) return "";
  const size_t begin = hello.rfind('{', at);
  return hello.substr(begin, hello.find('}', at) - begin + 1);
}

TEST(LiveSession, NamesThePinsOfTheDevices) {
  Watched watched;
  const std::string hello = watched.begin({});
  EXPECT_EQ(pin(hello, "D9"), R"({"analog": false, "name": "D9", "pin": 9, "pwm": true})");
  EXPECT_NE(pin(hello, "A15"), "") << hello;
}

TEST(LiveSession, NamesThePinsThatTheBoardHasAndWhatTheyCan) {
  program::RunFacts facts{};
  facts.pins = {{3, true}, {9, false}, {54, false}};
  Watched watched;
  const std::string hello = watched.begin(facts);
  EXPECT_EQ(pin(hello, "D3"), R"({"analog": false, "name": "D3", "pin": 3, "pwm": true})");
  EXPECT_EQ(pin(hello, "D9"), R"({"analog": false, "name": "D9", "pin": 9, "pwm": false})");
  EXPECT_EQ(pin(hello, "A0"), R"({"analog": true, "name": "A0", "pin": 54, "pwm": false})");
  EXPECT_EQ(pin(hello, "D5"), "");
}

TEST(LiveSession, KeepsSoManyTouchesAndNoMore) {
  constexpr unsigned kMost = 4'000;
  const std::string touch = R"({"do": "pin", "pin": 7, "to": 1})";
  Watched watched;
  watched.begin({});
  const auto look = [&] { static_cast<void>((*watched).look(1'000, 1'001)); };
  for (unsigned sent = 0; sent < kMost; sent += 500) {  // what a pipe holds for certain
    for (unsigned i = 0; i < 500; ++i) watched.say(touch);
    look();
  }
  watched.say(touch);
  look();
  EXPECT_NE(watched.heard().find("4000 touches wait for the board already"), std::string::npos);
  // Once they are made there is room again.
  (*watched).touch(1'000);
  EXPECT_EQ((*watched).next_touch(), Session::kNever);
  watched.say(touch);
  look();
  EXPECT_EQ((*watched).next_touch(), 1'000u);
}

TEST(LiveSession, TheEndComesBehindTheTouchesThatAreMadeBeforeIt) {
  const std::string touch = R"({"do": "pin", "pin": 7, "to": 1})";
  Watched watched;
  watched.begin({});
  watched.say(touch);
  static_cast<void>((*watched).look(1'000, 900));
  (*watched).touch(1'000);
  watched.say(touch);
  watched.say(R"({"do": "end"})");
  static_cast<void>((*watched).look(1'000, 900));
  EXPECT_EQ((*watched).next_touch(), 1'000u);
  EXPECT_EQ((*watched).end(), 1'001u);
  (*watched).touch(1'000);
  (*watched).finish(1'001);
  const std::string heard = watched.heard();
  ASSERT_NE(heard.find("\"end\""), heard.npos) << heard;
  EXPECT_LT(heard.rfind("\"pin\": 7"), heard.find("\"end\"")) << heard;
}

}  // namespace
}  // namespace hocket::live::test
