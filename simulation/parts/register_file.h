// The registers of a device that a scenario describes, on either bus: values that follow time,
// reads and writes.
//
// A register has one byte or two. With auto-increment the next value is the next register's (its
// number is higher by one, in devices of both kinds). A register that is not described takes
// values and reads 0, like one that is.
#pragma once

#include <map>

#include "simulation/parts/part.h"

namespace hocket::sim {

class RegisterFile {
 public:
  /// Takes `bytes`, `order`, `auto_increment`, `registers` and `changes` of the section.
  explicit RegisterFile(Section& section);

  /// The next byte is the first one of this register.
  void name(uint8_t number) { number_ = number, place_ = 0; }
  /// A transfer continues with the next register, from its first byte on.
  void restart() { place_ = 0; }
  uint8_t read(Nanos now);
  void write(Nanos now, uint8_t byte);

  /// `bytes_read`, `bytes_written`, `writes_refused`, `registers`.
  void facts(Facts& facts, Nanos now) const;

 private:
  /// What a register reads: a value that may move to another in time, and step with each read.
  struct Register {
    int64_t value = 0;
    std::optional<int64_t> to;  // reached in equal steps of time
    Nanos over = 0;
    int64_t step = 0;
    bool read_only = false;

    int64_t at(Nanos now) const;
  };
  struct Change {
    Nanos at;
    uint8_t number;
    int64_t value;
  };

  void next();
  unsigned shift_of(unsigned place) const { return 8 * (low_first_ ? place : bytes_ - 1 - place); }
  /// Negative values are in two's complement.
  uint64_t raw(int64_t value) const {
    return static_cast<uint64_t>(value) & (bytes_ == 1 ? 0xff : 0xffff);
  }
  void change(Nanos now);

  unsigned bytes_;
  bool low_first_, increments_;
  std::map<uint8_t, Register> registers_;
  std::vector<Change> changes_;
  size_t changed_ = 0;
  uint8_t number_ = 0;  // number of the next register
  unsigned place_ = 0;  // index of the byte within it
  uint64_t latched_ = 0;
  uint64_t bytes_read_ = 0, bytes_written_ = 0, refused_ = 0;
};

}  // namespace hocket::sim
