// The Unicode characters of an HD44780's built-in font (ROM code A00).
// Source: Hitachi HD44780U data sheet (ADE-207-272), table 4.
#pragma once

#include <cstdint>
#include <string>

namespace hocket::sim {

/// In UTF-8. The eight characters that a sketch defines are shown as their number in a circle.
std::string hd44780_character(uint8_t code);

}  // namespace hocket::sim
