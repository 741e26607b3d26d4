#include "simulation/rp2040/devices/adc.h"

#include <algorithm>

namespace hocket::rp2040 {
namespace {

// Registers (datasheet, 4.9.6).
enum : uint32_t {
  kControl = 0x00,
  kResult = 0x04,
  kFifoControl = 0x08,
  kFifo = 0x0c,
  kDivisor = 0x10,
  kRaised = 0x14,
  kEnabled = 0x18,
  kForced = 0x1c,
  kStatus = 0x20,
};
// Control.
constexpr uint32_t kEnable = 1, kTemperatureOn = 1 << 1, kStartOnce = 1 << 2, kStartMany = 1 << 3,
                   kReady = 1 << 8, kControlBits = 0x1f'700b;
constexpr unsigned kInput = 12, kInTurn = 16;
// FIFO.
constexpr uint32_t kFifoEnable = 1, kShift = 1 << 1, kFifoError = 1 << 2, kFifoDma = 1 << 3,
                   kFifoControlBits = 0x0f00'000f;
constexpr uint32_t kUnderflow = 1 << 10, kOverflow = 1 << 11;

constexpr uint32_t kReferenceMillivolts = 3300, kFullScale = 4096;

}  // namespace

/// Between the starts of free-running conversions: 1 + DIV cycles of 48 MHz, at least one
/// conversion (4.9.2.2). A cycle of 48 MHz is 125 / 48 of ours.
Cycles Adc::period() const {
  const uint64_t parts = (uint64_t{divisor_} + 256) * 125;  // of 256 * 48
  return std::max<Cycles>(kConversion, parts / (256 * 48));
}

void Adc::begin(Cycles now) {
  const unsigned input = control_ >> kInput & 7;
  uint32_t millivolts = 0;
  if (input == kTemperature && (control_ & kTemperatureOn) != 0) {
    millivolts = 706;  // at 27 °C (4.9.5)
  } else if (input < kTemperature && ask_) {
    millivolts = ask_(input, now);
  }
  sample_ = std::min(millivolts * kFullScale / kReferenceMillivolts, kFullScale - 1);
  done_at_ = now + kConversion;
  starts_at_ = (control_ & kStartMany) != 0 ? now + period() : kNever;
}

/// The result goes to its register and the FIFO; then the next of the inputs in turn is chosen.
void Adc::finish(Cycles) {
  done_at_ = kNever;
  result_ = sample_;
  if ((fifo_control_ & kFifoEnable) != 0) {
    if (fifo_.size() < kFifoDepth) {
      fifo_.push_back(
          static_cast<uint16_t>((fifo_control_ & kShift) != 0 ? sample_ >> 4 : sample_));
    } else {
      overflowed_ = true;
    }
  }
  const uint32_t in_turn = control_ >> kInTurn & 0x1f;
  if (in_turn != 0) {
    unsigned input = control_ >> kInput & 7;
    do {
      input = (input + 1) % kInputs;
    } while ((in_turn >> input & 1) == 0);
    control_ = (control_ & ~(7u << kInput)) | input << kInput;
  }
  update_line();
}

void Adc::advance(Cycles now) {
  while (next() <= now) {
    if (done_at_ <= starts_at_) {
      finish(done_at_);
    } else {
      begin(starts_at_);
    }
  }
}

void Adc::set_control(uint32_t value, Cycles now) {
  control_ = value & kControlBits;
  const bool on = (control_ & kEnable) != 0;
  if (!on || (control_ & kStartMany) == 0) starts_at_ = kNever;
  if (!on) {
    done_at_ = kNever;
  } else if (done_at_ == kNever && starts_at_ == kNever &&
             (value & (kStartOnce | kStartMany)) != 0) {
    begin(now);
  }
}

uint32_t Adc::fifo_status() const {
  const auto level = static_cast<uint32_t>(fifo_.size());
  return fifo_control_ | (fifo_.empty() ? 1u << 8 : 0) |
         (fifo_.size() == kFifoDepth ? 1u << 9 : 0) | (underflowed_ ? kUnderflow : 0) |
         (overflowed_ ? kOverflow : 0) | level << 16;
}

uint32_t Adc::take() {
  if (fifo_.empty()) {
    underflowed_ = true;
    return 0;
  }
  const uint32_t value = fifo_.front();
  fifo_.pop_front();
  update_line();
  return value;
}

/// The interrupt is for a FIFO that holds as many as its threshold says.
void Adc::update_line() {
  const uint32_t threshold = fifo_control_ >> 24 & 0xf;
  const bool raised = (fifo_control_ & kFifoEnable) != 0 && fifo_.size() >= threshold;
  lines_.set(irq::kAdcFifo, ((raised ? 1u : 0u) & enabled_) != 0 || forced_ != 0);
}

uint32_t Adc::read(uint32_t offset, Access) {
  const uint32_t threshold = fifo_control_ >> 24 & 0xf;
  const bool raised = (fifo_control_ & kFifoEnable) != 0 && fifo_.size() >= threshold;
  switch (offset) {
    case kControl:
      return control_ | ((control_ & kEnable) != 0 && done_at_ == kNever ? kReady : 0);
    case kResult:
      return result_;
    case kFifoControl:
      return fifo_status();
    case kFifo:
      return take();
    case kDivisor:
      return divisor_;
    case kRaised:
      return raised ? 1 : 0;
    case kEnabled:
      return enabled_;
    case kForced:
      return forced_;
    case kStatus:
      return ((raised ? 1u : 0u) & enabled_) | forced_;
    default:
      no_register(offset);
  }
}

void Adc::write(uint32_t offset, Written value, Access access) {
  switch (offset) {
    case kControl:
      set_control(value.over(control_), access.now);
      break;
    case kFifoControl: {
      const uint32_t wanted = value.over(fifo_control_);
      if ((value.bits & kOverflow) != 0) overflowed_ = false;
      if ((value.bits & kUnderflow) != 0) underflowed_ = false;
      if ((wanted & kFifoDma) != 0) not_modelled(offset, "DMA");
      fifo_control_ = wanted & kFifoControlBits & ~kFifoError;
      if ((fifo_control_ & kFifoEnable) == 0) fifo_.clear();
      break;
    }
    case kDivisor:
      divisor_ = value.over(divisor_) & 0xff'ffff;
      break;
    case kEnabled:
      enabled_ = value.over(enabled_) & 1;
      break;
    case kForced:
      forced_ = value.over(forced_) & 1;
      break;
    case kResult:
    case kFifo:
    case kRaised:
    case kStatus:
      break;  // read only
    default:
      no_register(offset);
  }
  update_line();
}

void Adc::reset(Cycles) {
  control_ = fifo_control_ = divisor_ = result_ = enabled_ = forced_ = 0;
  fifo_.clear();
  overflowed_ = underflowed_ = false;
  starts_at_ = done_at_ = kNever;
  update_line();
}

}  // namespace hocket::rp2040
