#include "simulation/rp2040/devices/uart.h"

#include <algorithm>
#include <array>

namespace hocket::rp2040 {
namespace {

// Registers (datasheet, 4.2.8).
enum : uint32_t {
  kData = 0x000,
  kErrors = 0x004,
  kFlags = 0x018,
  kIntegerDivisor = 0x024,
  kFraction = 0x028,
  kLineControl = 0x02c,
  kControl = 0x030,
  kLevels = 0x034,
  kMask = 0x038,
  kRaised = 0x03c,
  kStatus = 0x040,
  kClear = 0x044,
  kDma = 0x048,
  kIdentity = 0xfe0,
};
// Flags.
constexpr uint32_t kBusy = 1 << 3, kReceiveEmpty = 1 << 4, kTransmitFull = 1 << 5,
                   kReceiveFull = 1 << 6, kTransmitEmpty = 1 << 7;
// Control.
constexpr uint32_t kEnable = 1, kLoopback = 1 << 7, kTransmit = 1 << 8, kReceive = 1 << 9,
                   kRtsFlow = 1 << 14, kCtsFlow = 1 << 15;
// Line control.
constexpr uint32_t kParity = 1 << 1, kTwoStops = 1 << 3;
// Interrupts.
constexpr uint32_t kReceived = 1 << 4, kRoom = 1 << 5, kTimeout = 1 << 6, kOverrun = 1 << 10;
constexpr uint32_t kAllInterrupts = 0x7ff;
constexpr uint32_t kDataOverrun = 1 << 11, kErrorOverrun = 1 << 3;

/// UARTPeriphID0 … 3, UARTPCellID0 … 3.
constexpr std::array<uint8_t, 8> kIdentities = {0x11, 0x10, 0x34, 0x00, 0x0d, 0xf0, 0x05, 0xb1};

/// Eighths of the FIFO, by a field of IFLS.
constexpr std::array<unsigned, 8> kEighths = {1, 2, 4, 6, 7, 7, 7, 7};

constexpr unsigned kTimeoutBits = 32;

}  // namespace

/// 16 cycles of the baud clock, whose divisor has six bits of fraction.
Cycles Uart::bit() const {
  const uint64_t divisor = uint64_t{registers_.integer_divisor} * 64 + registers_.fraction;
  return divisor * 16 / 64;
}

unsigned Uart::bits() const {
  const unsigned data = 5 + (registers_.line_control >> 5 & 3);
  return 1 + data + ((registers_.line_control & kParity) != 0 ? 1 : 0) +
         ((registers_.line_control & kTwoStops) != 0 ? 2 : 1);
}

bool Uart::receives() const {
  return (registers_.control & kEnable) != 0 && (registers_.control & kReceive) != 0;
}

unsigned Uart::receive_level() const {
  return with_fifos() ? kEighths[registers_.levels >> 3 & 7] * kFifoDepth / 8 : 1;
}
unsigned Uart::transmit_level() const {
  return with_fifos() ? kEighths[registers_.levels & 7] * kFifoDepth / 8 : 0;
}

uint32_t Uart::flags() const {
  const bool shifting = shifted_at_ != kNever;
  return (shifting || !transmit_.empty() ? kBusy : 0) | (received_.empty() ? kReceiveEmpty : 0) |
         (transmit_.size() >= depth() ? kTransmitFull : 0) |
         (received_.size() >= depth() ? kReceiveFull : 0) |
         (transmit_.empty() ? kTransmitEmpty : 0);
}

Cycles Uart::next() const {
  return std::min(shifted_at_, timeout_at_);
}

void Uart::advance(Cycles now) {
  while (shifted_at_ <= now) {
    const Cycles done = shifted_at_;
    shifted_at_ = kNever;
    if (sent_) sent_(done, shifting_);
    if (!transmit_.empty()) begin_character(done);
  }
  if (timeout_at_ <= now) {
    timeout_at_ = kNever;
    registers_.raised |= kTimeout;
    update_line();
  }
}

void Uart::begin_character(Cycles now) {
  shifting_ = transmit_.front();
  transmit_.pop_front();
  shifted_at_ = now + bits() * bit();
  // The interrupt is for falling through the level (datasheet, 4.2.6.3).
  if (transmit_.size() == transmit_level()) {
    registers_.raised |= kRoom;
    update_line();
  }
}

void Uart::send(uint8_t byte, Cycles now) {
  if ((registers_.control & (kEnable | kTransmit)) != (kEnable | kTransmit)) {
    not_modelled(kData, "a byte sent while the transmitter is off");
  }
  if (bit() == 0) not_modelled(kData, "a byte sent before a rate is set");
  if (transmit_.size() >= depth() && shifted_at_ != kNever) return;  // lost
  transmit_.push_back(byte);
  if (transmit_.size() > transmit_level()) registers_.raised &= ~kRoom;
  if (shifted_at_ == kNever) begin_character(now);
  update_line();
}

bool Uart::receive(uint8_t byte, Cycles now) {
  if (!receives()) return false;
  if (received_.size() >= depth()) {
    registers_.raised |= kOverrun;
    registers_.errors |= kErrorOverrun;
    received_.back() |= kDataOverrun;
    update_line();
    return false;
  }
  received_.push_back(byte);
  timeout_at_ = with_fifos() ? now + kTimeoutBits * bit() : kNever;
  if (received_.size() >= receive_level()) registers_.raised |= kReceived;
  update_line();
  return true;
}

uint32_t Uart::take() {
  if (received_.empty()) return 0;
  const uint32_t value = received_.front();
  received_.pop_front();
  if (received_.size() < receive_level()) registers_.raised &= ~kReceived;
  if (received_.empty()) {
    registers_.raised &= ~kTimeout;
    timeout_at_ = kNever;
  }
  update_line();
  return value;
}

void Uart::update_line() {
  lines_.set(line_, (registers_.raised & registers_.mask) != 0);
}

uint32_t Uart::read(uint32_t offset, Access) {
  if (offset >= kIdentity) return kIdentities[(offset - kIdentity) / 4 % kIdentities.size()];
  switch (offset) {
    case kData:
      return take();
    case kErrors:
      return registers_.errors;
    case kFlags:
      return flags();
    case kIntegerDivisor:
      return new_integer_;
    case kFraction:
      return new_fraction_;
    case kLineControl:
      return registers_.line_control;
    case kControl:
      return registers_.control;
    case kLevels:
      return registers_.levels;
    case kMask:
      return registers_.mask;
    case kRaised:
      return registers_.raised;
    case kStatus:
      return registers_.raised & registers_.mask;
    case kDma:
      return 0;
    default:
      no_register(offset);
  }
}

void Uart::write(uint32_t offset, Written value, Access access) {
  Registers& r = registers_;
  switch (offset) {
    case kData:
      send(static_cast<uint8_t>(value.bits), access.now);
      break;
    case kErrors:
      r.errors = 0;
      break;
    case kIntegerDivisor:
      new_integer_ = value.over(new_integer_) & 0xffff;
      break;
    case kFraction:
      new_fraction_ = value.over(new_fraction_) & 0x3f;
      break;
    case kLineControl:  // takes the new divisors over (4.2.8, UARTLCR_H)
      r.line_control = value.over(r.line_control) & 0xff;
      r.integer_divisor = new_integer_;
      r.fraction = new_fraction_;
      break;
    case kControl:
      r.control = value.over(r.control) & 0xffff;
      if ((r.control & (kLoopback | kRtsFlow | kCtsFlow)) != 0) {
        not_modelled(offset, "loopback and flow control");
      }
      break;
    case kLevels:
      r.levels = value.over(r.levels) & 0x3f;
      break;
    case kMask:
      r.mask = value.over(r.mask) & kAllInterrupts;
      break;
    case kClear:
      r.raised &= ~value.bits;
      break;
    case kDma:
      if (value.bits != 0 && value.alias != Written::Alias::Clear) not_modelled(offset, "DMA");
      break;
    case kFlags:
    case kRaised:
    case kStatus:
      break;  // read only
    default:
      no_register(offset);
  }
  update_line();
}

void Uart::reset(Cycles) {
  registers_ = {};
  new_fraction_ = new_integer_ = 0;
  transmit_.clear();
  received_.clear();
  shifted_at_ = timeout_at_ = kNever;
  update_line();
}

}  // namespace hocket::rp2040
