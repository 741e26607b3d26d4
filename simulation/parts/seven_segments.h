// The character that a digit of seven segments shows.
//
//     a         bits from the lowest: a b c d e f g, and the point
//   f   b
//     g
//   e   c
//     d   .
#pragma once

#include <cstdint>
#include <string>

namespace hocket::sim {

/// A digit, a letter or a sign; `?` for any other pattern. The decimal point follows it.
std::string seven_segments(uint8_t segments);

}  // namespace hocket::sim
