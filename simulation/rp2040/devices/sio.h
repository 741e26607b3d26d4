// SIO, the port that each core reaches in one cycle: pins, FIFOs, spinlocks, dividers
// (datasheet, 2.3.1). The interpolators and the pins of the flash are not modelled.
#pragma once

#include <array>
#include <functional>

#include "simulation/rp2040/device.h"
#include "simulation/rp2040/devices/core_fifo.h"
#include "simulation/rp2040/devices/divider.h"
#include "simulation/rp2040/devices/pins.h"
#include "simulation/rp2040/interrupt_lines.h"

namespace hocket::rp2040 {

class Sio : public Device {
 public:
  /// Takes the words that core 0 sends while core 1 waits in the boot ROM. Returns whether it did.
  using BootWord = std::function<bool(uint32_t word, Access access)>;

  Sio(Pins& pins, InterruptLines& lines, BootWord boot_word)
      : Device("SIO"), pins_(pins), lines_(lines), boot_word_(std::move(boot_word)) {}

  uint32_t read(uint32_t offset, Access access) override;
  void write(uint32_t offset, Written value, Access access) override;

  /// A word for a core, from the other one or from the boot ROM.
  void send_to(unsigned core, uint32_t word);
  /// SPINLOCK_ST: the locks that are held.
  uint32_t locks() const { return locks_; }

 private:
  struct OfCore {
    CoreFifo received;
    bool overflowed = false;   // what it sent to the other core was lost
    bool underflowed = false;  // it read from an empty FIFO
    Divider divider;
  };
  uint32_t fifo_status(unsigned core) const;
  uint32_t pop(unsigned core);
  void update_fifo_lines();
  bool write_pins(uint32_t offset, uint32_t bits, Cycles now);
  bool write_divider(uint32_t offset, uint32_t bits, Access access);
  uint32_t read_divider(uint32_t offset, Access access);

  Pins& pins_;
  InterruptLines& lines_;
  BootWord boot_word_;
  Pins::Signal pins_out_;
  uint32_t locks_ = 0;
  std::array<OfCore, 2> cores_{};
};

}  // namespace hocket::rp2040
