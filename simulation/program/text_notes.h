// When texts were sent on the serial ports: for who judges a run afterwards.
//
// A text that repeats itself is counted like words on paper: "aaa" has one "aa".
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "simulation/devices/pinout.h"
#include "simulation/program/options.h"

namespace hocket::program {

/// One text on one port.
struct TextTimes {
  static constexpr std::size_t kMost = 10'000;  // times that are kept

  std::string text;
  unsigned port;
  std::uint64_t count = 0;
  std::vector<Nanos> times{};  // when its last byte had left
};

class TextNotes {
 public:
  /// `texts`: none of them empty.
  explicit TextNotes(const std::vector<std::string>& texts);

  /// A byte has left the port.
  void sent(Nanos when, unsigned port, std::uint8_t byte);

  /// Every text, on every port.
  std::vector<TextTimes> all() const;

 private:
  struct Search {
    TextTimes times;
    std::string recent{};  // that may begin the text; never longer than it
  };
  std::array<std::vector<Search>, sim::pinout::kSerialPorts> ports_;
};

}  // namespace hocket::program
