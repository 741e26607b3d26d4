#include "simulation/rp2040/devices/sio.h"

namespace hocket::rp2040 {
namespace {

// Registers (datasheet, 2.3.1.7).
enum : uint32_t {
  kCpuid = 0x000,
  kGpioIn = 0x004,
  kGpioHighIn = 0x008,
  kGpioOut = 0x010,
  kGpioEnable = 0x020,
  kFifoStatus = 0x050,
  kFifoWrite = 0x054,
  kFifoRead = 0x058,
  kLocks = 0x05c,
  kUnsignedDividend = 0x060,
  kUnsignedDivisor = 0x064,
  kSignedDividend = 0x068,
  kSignedDivisor = 0x06c,
  kQuotient = 0x070,
  kRemainder = 0x074,
  kDividerControl = 0x078,
  kLock0 = 0x100,
  kLockEnd = 0x180,
};

constexpr uint32_t lock_bit(uint32_t offset) {
  return 1u << (offset - kLock0) / 4;
}
constexpr bool is_lock(uint32_t offset) {
  return offset >= kLock0 && offset < kLockEnd;
}

}  // namespace

uint32_t Sio::read(uint32_t offset, Access access) {
  if (is_lock(offset)) {  // reading a free lock takes it
    const uint32_t bit = lock_bit(offset);
    const bool was_free = (locks_ & bit) == 0;
    locks_ |= bit;
    return was_free ? bit : 0;
  }
  switch (offset) {
    case kCpuid:
      return access.core;
    case kGpioIn:
      return pins_.inputs();
    case kGpioHighIn:
      return 0;
    case kGpioOut:
      return pins_out_.level;
    case kGpioEnable:
      return pins_out_.enable;
    case kFifoStatus:
      return fifo_status(access.core);
    case kFifoRead:
      return pop(access.core);
    case kLocks:
      return locks_;
    default:
      return read_divider(offset, access);
  }
}

uint32_t Sio::read_divider(uint32_t offset, Access access) {
  Divider& divider = cores_[access.core].divider;
  switch (offset) {
    case kUnsignedDividend:
    case kSignedDividend:
      return divider.dividend();
    case kUnsignedDivisor:
    case kSignedDivisor:
      return divider.divisor();
    case kDividerControl:
      return divider.control(access.now);
    case kQuotient:
    case kRemainder:
      if (!divider.ready(access.now)) not_modelled(offset, "a result read before it is ready");
      return offset == kQuotient ? divider.take_quotient() : divider.remainder();
    default:
      no_register(offset);
  }
}

void Sio::write(uint32_t offset, Written value, Access access) {
  const uint32_t bits = value.bits;
  if (write_pins(offset, bits, access.now) || write_divider(offset, bits, access)) return;
  if (is_lock(offset)) {
    locks_ &= ~lock_bit(offset);
    return;
  }
  switch (offset) {
    case kFifoStatus:
      cores_[access.core].overflowed = cores_[access.core].underflowed = false;
      update_fifo_lines();
      break;
    case kFifoWrite:
      if (access.core == 0 && boot_word_(bits, access)) break;
      if (!cores_[access.core ^ 1].received.push(bits)) cores_[access.core].overflowed = true;
      update_fifo_lines();
      break;
    default:
      no_register(offset);
  }
}

/// A register, and behind it those that set, clear and turn over its bits.
bool Sio::write_pins(uint32_t offset, uint32_t bits, Cycles now) {
  if (offset < kGpioOut || offset >= kGpioEnable + 0x10) return false;
  uint32_t& word = offset < kGpioEnable ? pins_out_.level : pins_out_.enable;
  switch (offset % 0x10) {
    case 0x0:
      word = bits;
      break;
    case 0x4:
      word |= bits;
      break;
    case 0x8:
      word &= ~bits;
      break;
    default:
      word ^= bits;
  }
  word &= Pins::kAll;
  pins_.set_signal(Pins::kSio, pins_out_, now);
  return true;
}

bool Sio::write_divider(uint32_t offset, uint32_t bits, Access access) {
  Divider& divider = cores_[access.core].divider;
  switch (offset) {
    case kUnsignedDividend:
      divider.set_dividend(bits, false, access.now);
      break;
    case kUnsignedDivisor:
      divider.set_divisor(bits, false, access.now);
      break;
    case kSignedDividend:
      divider.set_dividend(bits, true, access.now);
      break;
    case kSignedDivisor:
      divider.set_divisor(bits, true, access.now);
      break;
    case kQuotient:
      divider.set_quotient(bits);
      break;
    case kRemainder:
      divider.set_remainder(bits);
      break;
    default:
      return false;
  }
  return true;
}

uint32_t Sio::fifo_status(unsigned core) const {
  const OfCore& own = cores_[core];
  return (own.received.empty() ? 0 : 1u) | (cores_[core ^ 1].received.full() ? 0 : 2u) |
         (own.overflowed ? 4u : 0) | (own.underflowed ? 8u : 0);
}

uint32_t Sio::pop(unsigned core) {
  uint32_t word = 0;
  if (!cores_[core].received.pop(word)) cores_[core].underflowed = true;
  update_fifo_lines();
  return word;
}

void Sio::send_to(unsigned core, uint32_t word) {
  cores_[core].received.push(word);
  update_fifo_lines();
}

void Sio::update_fifo_lines() {
  for (unsigned core = 0; core < cores_.size(); ++core) {
    const OfCore& own = cores_[core];
    lines_.set_of(core, irq::kSioProc0 + core,
                  !own.received.empty() || own.overflowed || own.underflowed);
  }
}

}  // namespace hocket::rp2040
