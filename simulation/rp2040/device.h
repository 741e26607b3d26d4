// What all devices of the chip have in common: registers at a place, an instant at which something
// next happens, and words for what is not modelled.
#pragma once

#include <cstdint>
#include <string>

#include "simulation/rp2040/bus.h"

namespace hocket::rp2040 {

/// A program uses something that the emulator does not have. It ends the run.
struct NotModelled {
  std::string what;  // the device, the register, what it would be for
};

/// A value as it is written: plainly, or through one of the three aliases that change only the bits
/// written as 1 (datasheet, 2.1.2).
struct Written {
  enum class Alias : uint8_t { Plain, Xor, Set, Clear };

  uint32_t bits;
  Alias alias = Alias::Plain;

  /// What a register with this content becomes.
  uint32_t over(uint32_t old) const {
    switch (alias) {
      case Alias::Xor:
        return old ^ bits;
      case Alias::Set:
        return old | bits;
      case Alias::Clear:
        return old & ~bits;
      case Alias::Plain:
        break;
    }
    return bits;
  }
};

class Device {
 public:
  explicit Device(const char* name) : name_(name) {}
  virtual ~Device() = default;
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  const char* name() const { return name_; }

  /// The register at an offset. The device has been advanced to the access.
  virtual uint32_t read(uint32_t offset, Access access) = 0;
  virtual void write(uint32_t offset, Written value, Access access) = 0;

  /// When it next does something by itself.
  virtual Cycles next() const { return kNever; }
  /// Does what is due up to this instant.
  virtual void advance(Cycles) {}

  /// Put into reset (RESETS), after it was released: as at power-on.
  virtual void reset(Cycles) { not_modelled("being put into reset after it was used"); }

 protected:
  [[noreturn]] void not_modelled(const std::string& what) const;
  [[noreturn]] void no_register(uint32_t offset) const;
  [[noreturn]] void not_modelled(uint32_t offset, const std::string& what) const;

 private:
  const char* name_;
};

/// "0x40034000"
std::string hex(uint32_t value);

}  // namespace hocket::rp2040
