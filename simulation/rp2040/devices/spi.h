// An SPI controller, Arm's PL022 as the chip has it twice (datasheet, 4.4; Arm DDI 0194), as master
// with Motorola's frames.
//
// Frames are exchanged with the outside one by one, at the end of each; the pins themselves are not
// moved. DMA, other formats and the slave's side are not modelled.
#pragma once

#include <deque>
#include <functional>

#include "simulation/rp2040/device.h"
#include "simulation/rp2040/interrupt_lines.h"

namespace hocket::rp2040 {

class Spi : public Device {
 public:
  static constexpr unsigned kFifoDepth = 8;
  /// What has been sent; returns what was received meanwhile. `bits` is the frame's size.
  using Exchange = std::function<uint16_t(Cycles now, uint16_t sent, unsigned bits)>;

  Spi(const char* name, unsigned line, InterruptLines& lines)
      : Device(name), line_(line), lines_(lines) {}

  uint32_t read(uint32_t offset, Access access) override;
  void write(uint32_t offset, Written value, Access access) override;
  Cycles next() const override { return done_at_; }
  void advance(Cycles now) override;
  void reset(Cycles now) override;

  void on_exchange(Exchange exchange) { exchange_ = std::move(exchange); }
  /// The length of one bit; 0: no rate is set.
  Cycles bit() const;
  unsigned bits() const { return (control0_ & 0xf) + 1; }
  /// SPO and SPH: the clock's idle level, and the edge at which bits are taken.
  bool idles_high() const { return (control0_ >> 6 & 1) != 0; }
  bool second_edge() const { return (control0_ >> 7 & 1) != 0; }

 private:
  void begin(Cycles now);
  void send(uint32_t frame, Cycles now);
  uint32_t take();
  uint32_t status() const;
  uint32_t raw() const;
  void update_line();

  const unsigned line_;
  InterruptLines& lines_;
  Exchange exchange_;
  uint32_t control0_ = 0, control1_ = 0, prescale_ = 0, mask_ = 0;
  bool overrun_ = false;
  std::deque<uint16_t> transmit_, received_;
  uint16_t shifting_ = 0;
  Cycles done_at_ = kNever;
};

}  // namespace hocket::rp2040
