#include "simulation/parts/seven_segments.h"

#include <array>
#include <utility>

namespace hocket::sim {

std::string seven_segments(uint8_t segments) {
  constexpr std::array<std::pair<uint8_t, char>, 39> kSigns{{
      {0x00, ' '}, {0x3f, '0'}, {0x06, '1'}, {0x5b, '2'}, {0x4f, '3'}, {0x66, '4'}, {0x6d, '5'},
      {0x7d, '6'}, {0x07, '7'}, {0x7f, '8'}, {0x6f, '9'}, {0x7c, 'b'}, {0x77, 'A'}, {0x39, 'C'},
      {0x5e, 'd'}, {0x79, 'E'}, {0x71, 'F'}, {0x40, '-'}, {0x08, '_'}, {0x38, 'L'}, {0x73, 'P'},
      {0x76, 'H'}, {0x74, 'h'}, {0x54, 'n'}, {0x50, 'r'}, {0x5c, 'o'}, {0x58, 'c'}, {0x78, 't'},
      {0x3e, 'U'}, {0x1c, 'u'}, {0x6e, 'y'}, {0x1e, 'J'}, {0x3d, 'G'}, {0x67, 'q'}, {0x10, 'i'},
      {0x48, '='}, {0x53, '?'}, {0x63, '*'}, {0x01, '^'},
  }};
  const auto pattern = static_cast<uint8_t>(segments & 0x7f);
  std::string text(1, '?');
  if (pattern == 0x27) text = "7";  // with the left stroke, as some fonts have it
  for (const auto& [known, sign] : kSigns)
    if (known == pattern) text = sign;
  return (segments & 0x80) != 0 ? text + "." : text;
}

}  // namespace hocket::sim
