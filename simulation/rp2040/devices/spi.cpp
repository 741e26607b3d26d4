#include "simulation/rp2040/devices/spi.h"

#include <array>

namespace hocket::rp2040 {
namespace {

// Registers (datasheet, 4.4.4).
enum : uint32_t {
  kControl0 = 0x00,
  kControl1 = 0x04,
  kData = 0x08,
  kStatus = 0x0c,
  kPrescale = 0x10,
  kMask = 0x14,
  kRaw = 0x18,
  kMasked = 0x1c,
  kClear = 0x20,
  kDma = 0x24,
  kIdentity = 0xfe0,
};
constexpr uint32_t kFormat = 3u << 4, kEnable = 1 << 1, kLoopback = 1, kSlave = 1 << 2;
constexpr uint32_t kOverrun = 1, kReceiveHalf = 1 << 2, kTransmitHalf = 1 << 3;
constexpr std::array<uint8_t, 8> kIdentities = {0x22, 0x10, 0x34, 0x00, 0x0d, 0xf0, 0x05, 0xb1};

}  // namespace

/// CPSDVSR * (1 + SCR) cycles (4.4.3.4).
Cycles Spi::bit() const {
  return Cycles{prescale_} * (1 + (control0_ >> 8 & 0xff));
}

void Spi::begin(Cycles now) {
  shifting_ = transmit_.front();
  transmit_.pop_front();
  done_at_ = now + bits() * bit();
}

void Spi::send(uint32_t frame, Cycles now) {
  if (transmit_.size() >= kFifoDepth) return;  // lost
  transmit_.push_back(static_cast<uint16_t>(frame & ((1u << bits()) - 1)));
  if ((control1_ & kEnable) == 0) return;
  if (bit() == 0) not_modelled(kData, "a frame sent before a rate is set");
  if (done_at_ == kNever) begin(now);
}

void Spi::advance(Cycles now) {
  while (done_at_ <= now) {
    const Cycles done = done_at_;
    done_at_ = kNever;
    const uint16_t came = (control1_ & kLoopback) != 0 ? shifting_
                          : exchange_                  ? exchange_(done, shifting_, bits())
                                                       : uint16_t{0};
    if (received_.size() < kFifoDepth) {
      received_.push_back(static_cast<uint16_t>(came & ((1u << bits()) - 1)));
    } else {
      overrun_ = true;
    }
    if (!transmit_.empty()) begin(done);
    update_line();
  }
}

uint32_t Spi::take() {
  if (received_.empty()) return 0;
  const uint32_t frame = received_.front();
  received_.pop_front();
  return frame;
}

uint32_t Spi::status() const {
  const bool busy = done_at_ != kNever || !transmit_.empty();
  return (transmit_.empty() ? 1u : 0) | (transmit_.size() < kFifoDepth ? 2u : 0) |
         (received_.empty() ? 0 : 4u) | (received_.size() >= kFifoDepth ? 8u : 0) |
         (busy ? 16u : 0);
}

uint32_t Spi::raw() const {
  constexpr unsigned kHalf = kFifoDepth / 2;
  return (overrun_ ? kOverrun : 0) | (received_.size() >= kHalf ? kReceiveHalf : 0) |
         (transmit_.size() <= kHalf ? kTransmitHalf : 0);
}

void Spi::update_line() {
  lines_.set(line_, (raw() & mask_) != 0);
}

uint32_t Spi::read(uint32_t offset, Access) {
  if (offset >= kIdentity) return kIdentities[(offset - kIdentity) / 4 % kIdentities.size()];
  switch (offset) {
    case kControl0:
      return control0_;
    case kControl1:
      return control1_;
    case kData: {
      const uint32_t frame = take();
      update_line();
      return frame;
    }
    case kStatus:
      return status();
    case kPrescale:
      return prescale_;
    case kMask:
      return mask_;
    case kRaw:
      return raw();
    case kMasked:
      return raw() & mask_;
    case kClear:
    case kDma:
      return 0;
    default:
      no_register(offset);
  }
}

void Spi::write(uint32_t offset, Written value, Access access) {
  switch (offset) {
    case kControl0:
      control0_ = value.over(control0_) & 0xffff;
      if ((control0_ & kFormat) != 0) not_modelled(offset, "frames of other makers than Motorola");
      break;
    case kControl1:
      control1_ = value.over(control1_) & 0xf;
      if ((control1_ & kSlave) != 0) not_modelled(offset, "the slave's side");
      if ((control1_ & kEnable) != 0 && done_at_ == kNever && !transmit_.empty()) {
        begin(access.now);
      }
      break;
    case kData:
      send(value.bits, access.now);
      break;
    case kPrescale:
      prescale_ = value.over(prescale_) & 0xfe;
      break;
    case kMask:
      mask_ = value.over(mask_) & 0xf;
      break;
    case kClear:
      if ((value.bits & kOverrun) != 0) overrun_ = false;
      break;
    case kDma:  // drivers enable requests, which have no effect where there is no DMA
    case kStatus:
    case kRaw:
    case kMasked:
      break;  // read only
    default:
      no_register(offset);
  }
  update_line();
}

void Spi::reset(Cycles) {
  control0_ = control1_ = prescale_ = mask_ = 0;
  overrun_ = false;
  transmit_.clear();
  received_.clear();
  done_at_ = kNever;
  update_line();
}

}  // namespace hocket::rp2040
