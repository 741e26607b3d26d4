// A linked AVR program as a file: its sections, its symbols, and the content of the flash. The
// content may also come from an Intel HEX file, as a programmer uses.
//
// Nothing in the file is trusted: a file that is truncated or points outside of itself is refused.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "arduino/cores/avr8/image/chip_model.h"

namespace hocket::uno {

/// The file is unusable; what() says why.
struct BadFirmware : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Firmware {
 public:
  // In a linked AVR program data memory is at 0x800000.
  static constexpr uint32_t kDataBase = 0x800000;

  explicit Firmware(const std::string& file) : Firmware(read_file(file)) {}
  explicit Firmware(const std::vector<uint8_t>& elf);

  /// Replaces the flash content by this Intel HEX file.
  void flash_from_hex(const std::string& file);

  const std::vector<uint8_t>& flash() const { return flash_; }
  /// The chip that the program was linked for.
  const avr::ChipModel& chip() const { return *chip_; }

  /// The address of a function in bytes, or of data without kDataBase.
  std::optional<uint32_t> address(const std::string& symbol) const;
  /// The rest of each symbol name that begins with `beginning`.
  std::vector<std::string> names_behind(const std::string& beginning) const;
  /// The bytes of a section; empty if there is no section of this name.
  std::vector<uint8_t> section(const std::string& name) const;
  /// Bytes of data memory that variables occupy (sections .data and .bss).
  uint32_t data_bytes() const { return data_bytes_; }

 private:
  static std::vector<uint8_t> read_file(const std::string& file);

  const avr::ChipModel* chip_ = nullptr;
  std::vector<uint8_t> flash_;
  std::map<std::string, uint32_t> symbols_;
  std::map<std::string, std::vector<uint8_t>> sections_;
  uint32_t data_bytes_ = 0;
};

}  // namespace hocket::uno
