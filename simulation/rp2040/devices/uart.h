// A UART, Arm's PL011 as the chip has it twice (datasheet, 4.2; Arm DDI 0183).
//
// A character takes its start bit, data, parity and stop bits at the rate that is set. Bytes are
// passed to the outside when their last bit has been sent, and are received when the outside says
// so. DMA, flow control, IrDA and errors of framing and parity are not modelled.
#pragma once

#include <deque>
#include <functional>

#include "simulation/rp2040/device.h"
#include "simulation/rp2040/interrupt_lines.h"

namespace hocket::rp2040 {

class Uart : public Device {
 public:
  static constexpr unsigned kFifoDepth = 32;

  Uart(const char* name, unsigned line, InterruptLines& lines)
      : Device(name), line_(line), lines_(lines) {}

  uint32_t read(uint32_t offset, Access access) override;
  void write(uint32_t offset, Written value, Access access) override;
  Cycles next() const override;
  void advance(Cycles now) override;
  void reset(Cycles now) override;

  /// Calls `function(now, byte)` when a byte has been sent.
  void on_sent(std::function<void(Cycles, uint8_t)> function) { sent_ = std::move(function); }
  /// A byte has arrived, with its stop bit. Returns false if it was lost.
  bool receive(uint8_t byte, Cycles now);
  bool receives() const;
  /// The length of one bit; 0: no rate is set.
  Cycles bit() const;
  /// Bits of one character.
  unsigned bits() const;

 private:
  struct Registers {
    uint32_t integer_divisor = 0, fraction = 0, line_control = 0, control = 0x300;
    uint32_t levels = 0x12, mask = 0, raised = 0, errors = 0;
  };
  bool with_fifos() const { return (registers_.line_control & 0x10) != 0; }
  unsigned depth() const { return with_fifos() ? kFifoDepth : 1; }
  unsigned receive_level() const;
  unsigned transmit_level() const;
  uint32_t flags() const;
  uint32_t take();
  void send(uint8_t byte, Cycles now);
  void begin_character(Cycles now);
  void update_line();

  const unsigned line_;
  InterruptLines& lines_;
  std::function<void(Cycles, uint8_t)> sent_;
  Registers registers_;
  uint32_t new_fraction_ = 0, new_integer_ = 0;  // count from the next write of LCR_H on
  std::deque<uint8_t> transmit_;
  std::deque<uint16_t> received_;  // with the error bits of DR
  uint8_t shifting_ = 0;
  Cycles shifted_at_ = kNever;  // when its last bit is out
  Cycles timeout_at_ = kNever;  // of reception
};

}  // namespace hocket::rp2040
