// A device that has only registers which say what the chip is.
#pragma once

#include <initializer_list>
#include <vector>

#include "simulation/rp2040/device.h"

namespace hocket::rp2040 {

class FixedRegisters : public Device {
 public:
  struct Register {
    uint32_t offset, value;
  };
  FixedRegisters(const char* name, std::initializer_list<Register> registers)
      : Device(name), registers_(registers) {}

  uint32_t read(uint32_t offset, Access) override {
    for (const Register& each : registers_) {
      if (each.offset == offset) return each.value;
    }
    no_register(offset);
  }
  void write(uint32_t offset, Written, Access) override { no_register(offset); }

 private:
  std::vector<Register> registers_;
};

}  // namespace hocket::rp2040
