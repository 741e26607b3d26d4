// A stand-in for the system under the Arduino functions: a clock that only calls move, pins with
// given waves, serial ports made of strings. It records every call as one line of text.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

struct FakePort {
  bool begun = false;
  uint32_t baud = 0;
  size_t room = 64;
  /// Bytes to be received, each from an instant on.
  std::deque<std::pair<uint64_t, uint8_t>> incoming;
  /// What each write() brought.
  std::vector<std::string> writes;

  std::string sent() const {
    std::string all;
    for (const std::string& part : writes) all += part;
    return all;
  }
  void receive(const std::string& text, uint64_t at_ns = 0) {
    for (char c : text) incoming.emplace_back(at_ns, static_cast<uint8_t>(c));
  }
};

struct FakeSystem {
  static constexpr unsigned kPins = 70;
  static constexpr unsigned kAnalogBase = 54;
  static constexpr unsigned kAnalogCount = 16;

  uint64_t now = 0;
  /// What one look at a pin costs.
  uint64_t pin_read_ns = 1000;
  std::vector<std::string> calls;
  /// Instants at which the pin changes; it is low at first.
  std::map<unsigned, std::vector<uint64_t>> edges;
  /// 16-bit voltages of pins.
  std::map<unsigned, uint32_t> analog;
  FakePort ports[4];
  unsigned locks_held = 0;
  /// The loop that runs, and which loops have a permit.
  unsigned loop = 0;
  std::set<unsigned> permits;
  /// What other loops do while one is parked, at the instant that it began; without it nothing.
  std::function<void()> parked;
  uint32_t entropy = 12345;

  int level(unsigned pin) const;
  /// The calls since the last question.
  std::vector<std::string> taken();
};

/// The system of the running test; reset() makes it new.
FakeSystem& fake();
void reset_fake();
