// The common part of I²C devices with numbered registers. A write names a register and may continue
// with values; a read continues from the next register. Each byte advances by one register.
#pragma once

#include "simulation/parts/part.h"

namespace hocket::sim {

class RegisterDevice : public Part, private I2cTarget {
 public:
  RegisterDevice(Workbench& bench, Section& section, uint8_t usual_address) : Part(bench, section) {
    connect_i2c(section, *this, usual_address);
  }

  void facts(Facts& facts, Nanos) const override {
    facts.count("transfers", transfers_);
    facts.count("bytes_read", bytes_read_);
    facts.count("bytes_written", bytes_written_);
  }

 protected:
  /// A read begins: the device latches values that belong together.
  virtual void latch(Nanos /*now*/) {}
  virtual uint8_t get(Nanos now, uint8_t number) = 0;
  virtual void set(Nanos now, uint8_t number, uint8_t value) = 0;
  /// The transfer is over: values that were written together take effect.
  virtual void ends(Nanos /*now*/) {}
  /// The register after this one.
  virtual uint8_t after(uint8_t number) const { return static_cast<uint8_t>(number + 1); }

 private:
  bool addressed(Nanos now, bool reads) override {
    named_ = reads;
    if (reads) latch(now);
    return true;
  }
  bool takes(Nanos now, uint8_t byte) override {
    if (!named_) {
      named_ = true;
      number_ = byte;
      return true;
    }
    ++bytes_written_;
    set(now, number_, byte);
    number_ = after(number_);
    return true;
  }
  uint8_t gives(Nanos now) override {
    ++bytes_read_;
    const uint8_t value = get(now, number_);
    number_ = after(number_);
    return value;
  }
  void stopped(Nanos now) override {
    ++transfers_;
    ends(now);
  }

  uint8_t number_ = 0;
  bool named_ = false;  // in this write
  uint64_t transfers_ = 0, bytes_read_ = 0, bytes_written_ = 0;
};

}  // namespace hocket::sim
