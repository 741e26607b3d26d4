// A device of registers on the SPI bus: the first byte after it is selected names a register and
// says by one bit whether values follow or are wanted.
//
//   select ‾└────────────────────────┐‾
//   out        R/W+register  value…           in        …  value…

#include "simulation/parts/register_file.h"
#include "simulation/parts/spi_device.h"

namespace hocket::sim {
namespace {

class SpiRegisters final : public SpiDevice {
 public:
  SpiRegisters(Workbench& bench, Section& section)
      : SpiDevice(bench, section),
        bit_(static_cast<uint8_t>(section.number_or("direction_bit", 0x80, 1, 0x80))),
        reads_when_set_(section.choice_or("direction", 0, {"set_reads", "set_writes"}) == 0),
        registers_(section) {
    if ((bit_ & (bit_ - 1)) != 0) section.fail("needs one bit for the direction");
  }

  void facts(Facts& facts, Nanos end) const override {
    SpiDevice::facts(facts, end);
    registers_.facts(facts, end);
  }

 private:
  void selected(Nanos) override { named_ = false; }

  uint8_t byte(Nanos now, uint8_t in) override {
    if (!named_) {
      named_ = true;
      reads_ = ((in & bit_) != 0) == reads_when_set_;
      registers_.name(static_cast<uint8_t>(in & ~bit_));
      return 0xff;
    }
    if (reads_) return registers_.read(now);
    registers_.write(now, in);
    return 0xff;
  }

  uint8_t bit_;
  bool reads_when_set_;
  RegisterFile registers_;
  bool named_ = false, reads_ = false;
};

}  // namespace

std::unique_ptr<Part> make_spi_registers(Workbench& bench, Section& section) {
  return std::make_unique<SpiRegisters>(bench, section);
}

}  // namespace hocket::sim
