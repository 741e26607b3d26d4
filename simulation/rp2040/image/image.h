// A program for the chip as a file, ELF or UF2: what it puts where, and how it starts.
//
// Nothing in the file is trusted: one that is cut short, points outside of itself or does not fit
// into the chip is refused in words.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace hocket::rp2040 {

class Chip;

/// The file is unusable; what() says why.
struct BadImage : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Image {
  struct Part {
    uint32_t address;
    std::vector<uint8_t> bytes;
  };
  std::vector<Part> parts;  // by address; none overlaps another
  /// The first instruction of a program that is in RAM alone; nullopt: it starts from flash.
  std::optional<uint32_t> ram_entry;
  /// Addresses by name; none if it is a UF2 file.
  std::map<std::string, uint32_t> symbols;
};

/// By what the file begins with. Throws BadImage.
Image read_image(const std::vector<uint8_t>& file);
Image read_image_file(const std::string& name);
Image read_elf(const std::vector<uint8_t>& file);
Image read_uf2(const std::vector<uint8_t>& file);

/// Puts the parts in order and checks what is true of both kinds: each part fits into flash or RAM,
/// none overlaps, and flash begins with a second-stage boot loader whose checksum is right.
void check_image(Image& image);
/// CRC-32 as the boot ROM computes it (datasheet, 2.8.1.3.1).
uint32_t boot2_checksum(const uint8_t* bytes, size_t size);

/// Copies the program into a new chip and starts core 0.
void start(const Image& image, Chip& chip);

}  // namespace hocket::rp2040
