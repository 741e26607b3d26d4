// A device of registers on the I²C bus, as most sensors are: a write names a register and may
// continue with values; a read begins at the register that was named last.
//
//   [address W] register value…             [address W] register [address R] value…

#include "simulation/parts/register_file.h"

namespace hocket::sim {
namespace {

class I2cRegisters final : public Part, private I2cTarget {
 public:
  I2cRegisters(Workbench& bench, Section& section)
      : Part(bench, section), address_(connect_i2c(section, *this)), registers_(section) {}

  void facts(Facts& facts, Nanos end) const override {
    facts.count("address", address_);
    facts.count("transfers", transfers_);
    registers_.facts(facts, end);
  }

 private:
  bool addressed(Nanos, bool reads) override {
    registers_.restart();
    named_ = reads;
    return true;
  }

  bool takes(Nanos now, uint8_t byte) override {
    if (named_)
      registers_.write(now, byte);
    else
      registers_.name(byte);
    named_ = true;
    return true;
  }

  uint8_t gives(Nanos now) override { return registers_.read(now); }
  void stopped(Nanos) override { ++transfers_; }

  uint8_t address_;
  RegisterFile registers_;
  bool named_ = false;  // in this write
  uint64_t transfers_ = 0;
};

}  // namespace

std::unique_ptr<Part> make_i2c_registers(Workbench& bench, Section& section) {
  return std::make_unique<I2cRegisters>(bench, section);
}

}  // namespace hocket::sim
