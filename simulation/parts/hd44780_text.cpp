#include "simulation/parts/hd44780_text.h"

namespace hocket::sim {
namespace {

/// The last two rows of the table, from 0xe0 on.
constexpr char32_t kLast[] = {
    U'α', U'ä', U'β', U'ε', U'μ',  U'σ',  U'ρ',  U'g', U'√', U'⁻', U'j',
    U'ˣ', U'¢', U'£', U'ñ', U'ö',  U'p',  U'q',  U'θ', U'∞', U'Ω', U'ü',
    U'Σ', U'π', U'x', U'y', U'千', U'万', U'円', U'÷', U' ', U'█',
};

char32_t unicode(uint8_t code) {
  if (code < 0x10) return code % 8 == 0 ? U'⓪' : U'①' + code % 8 - 1;
  if (code < 0x20) return U' ';
  switch (code) {
    case 0x5c:
      return U'¥';
    case 0x7e:
      return U'→';
    case 0x7f:
      return U'←';
    case 0xdf:
      return U'°';
    default:
      break;
  }
  if (code < 0x80) return code;
  if (code < 0xa1) return U' ';
  if (code < 0xdf) return U'｡' + (code - 0xa1);  // katakana of half the width, in the same order
  return kLast[code - 0xe0];
}

}  // namespace

std::string hd44780_character(uint8_t code) {
  const char32_t point = unicode(code);
  const auto tail = [point](unsigned shift) {
    return static_cast<char>(0x80 | (point >> shift & 0x3f));
  };
  if (point < 0x80) return {static_cast<char>(point)};
  if (point < 0x800) return {static_cast<char>(0xc0 | point >> 6), tail(0)};
  return {static_cast<char>(0xe0 | point >> 12), tail(6), tail(0)};
}

}  // namespace hocket::sim
