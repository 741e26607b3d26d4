// Records when texts were sent on the serial ports, for tests that judge a run afterwards.
//
// Matches do not overlap: "aaa" contains one "aa".
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
  static constexpr std::size_t kMost = 10'000;  // maximum number of times kept

  std::string text;
  unsigned port;
  std::uint64_t count = 0;
  std::vector<Nanos> times{};  // when its last byte had been sent
};

class TextNotes {
 public:
  /// `texts`: none may be empty.
  explicit TextNotes(const std::vector<std::string>& texts);

  /// A byte has been sent by the port.
  void sent(Nanos when, unsigned port, std::uint8_t byte);

  /// All texts on all ports.
  std::vector<TextTimes> all() const;

 private:
  struct Search {
    TextTimes times;
    std::string recent{};  // a possible beginning of the text; never longer than it
  };
  std::array<std::vector<Search>, sim::pinout::kSerialPorts> ports_;
};

}  // namespace hocket::program
