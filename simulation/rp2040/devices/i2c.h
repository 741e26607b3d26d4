// An I²C controller, Synopsys' DW_apb_i2c as the chip has it twice (datasheet, 4.3), as master with
// addresses of seven bits.
//
// Bytes are exchanged with the outside one by one, each at the end of its nine clocks; the pins
// themselves are not moved. DMA, the slave's side, ten-bit addresses and lost arbitration are not
// modelled.
#pragma once

#include <deque>
#include <functional>

#include "simulation/rp2040/device.h"
#include "simulation/rp2040/interrupt_lines.h"

namespace hocket::rp2040 {

/// What is connected to an I²C controller.
class I2cOutside {
 public:
  virtual ~I2cOutside() = default;
  /// START and address. Returns whether a device acknowledges it.
  virtual bool start(uint8_t address, bool reads, Cycles now) = 0;
  /// Returns whether the device acknowledges the byte.
  virtual bool sent(uint8_t byte, Cycles now) = 0;
  virtual uint8_t received(bool last, Cycles now) = 0;
  virtual void stop(Cycles now) = 0;
};

class I2c : public Device {
 public:
  static constexpr unsigned kFifoDepth = 16;

  I2c(const char* name, unsigned line, InterruptLines& lines)
      : Device(name), line_(line), lines_(lines) {}

  uint32_t read(uint32_t offset, Access access) override;
  void write(uint32_t offset, Written value, Access access) override;
  Cycles next() const override { return done_at_; }
  void advance(Cycles now) override;
  void reset(Cycles now) override;

  /// nullptr: nothing is connected, so no address is acknowledged.
  void connect(I2cOutside* outside) { outside_ = outside; }
  /// The length of one clock.
  Cycles clock() const;

 private:
  /// What the bus is doing until done_at_.
  enum class Doing : uint8_t { Nothing, Address, Byte, Stop };

  void command(uint32_t word, Cycles now);
  void go_on(Cycles now);
  void address_done(Cycles now);
  void byte_done(Cycles now);
  void abort(uint32_t reason, Cycles now);
  void begin(Doing doing, unsigned clocks, Cycles now);
  void raise(uint32_t interrupts) { raised_ |= interrupts; }
  uint32_t raw() const;
  uint32_t status() const;
  uint32_t clear_by_reading(uint32_t offset);
  uint32_t take();
  void update_line();
  uint32_t* plain_register(uint32_t offset);

  const unsigned line_;
  InterruptLines& lines_;
  I2cOutside* outside_ = nullptr;
  struct Registers {
    uint32_t control = 0x65, target = 0x55, slave = 0x55;
    uint32_t slow_high = 0x28, slow_low = 0x2f, fast_high = 0x06, fast_low = 0x0d;
    uint32_t mask = 0x8ff, receive_level = 0, transmit_level = 0;
    uint32_t hold = 1, setup = 0x64, acknowledge_general = 1, spike = 7;
  };
  Registers registers_;
  bool enabled_ = false;
  uint32_t raised_ = 0, abort_source_ = 0;
  std::deque<uint16_t> commands_;
  std::deque<uint8_t> received_;
  Doing doing_ = Doing::Nothing;
  bool owned_ = false;  // the bus: between START and STOP
  bool reading_ = false;
  Cycles done_at_ = kNever;
};

}  // namespace hocket::rp2040
