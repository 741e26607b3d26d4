#include "simulation/rp2040/devices/i2c.h"

#include <algorithm>

namespace hocket::rp2040 {
namespace {

// Registers (datasheet, 4.3.17).
enum : uint32_t {
  kControl = 0x00,
  kTarget = 0x04,
  kSlave = 0x08,
  kData = 0x10,
  kSlowHigh = 0x14,
  kSlowLow = 0x18,
  kFastHigh = 0x1c,
  kFastLow = 0x20,
  kMasked = 0x2c,
  kMask = 0x30,
  kRaw = 0x34,
  kReceiveLevel = 0x38,
  kTransmitLevel = 0x3c,
  kClearAll = 0x40,
  kClearUnder = 0x44,
  kClearOver = 0x48,
  kClearTransmitOver = 0x4c,
  kClearRequest = 0x50,
  kClearAbort = 0x54,
  kClearDone = 0x58,
  kClearActivity = 0x5c,
  kClearStop = 0x60,
  kClearStart = 0x64,
  kClearGeneral = 0x68,
  kEnable = 0x6c,
  kStatus = 0x70,
  kTransmitCount = 0x74,
  kReceiveCount = 0x78,
  kHold = 0x7c,
  kAbortSource = 0x80,
  kDmaControl = 0x88,
  kDmaTransmit = 0x8c,
  kDmaReceive = 0x90,
  kSetup = 0x94,
  kGeneral = 0x98,
  kEnableStatus = 0x9c,
  kSpike = 0xa0,
  kParameters = 0xf4,
};
// Interrupts.
constexpr uint32_t kReceiveUnder = 1 << 0, kReceiveOver = 1 << 1, kReceiveFull = 1 << 2,
                   kTransmitOver = 1 << 3, kTransmitEmpty = 1 << 4, kRequest = 1 << 5,
                   kAborted = 1 << 6, kReceiveDone = 1 << 7, kActivity = 1 << 8, kStopped = 1 << 9,
                   kStarted = 1 << 10, kGeneralCall = 1 << 11;
// Commands, beside their byte.
constexpr uint16_t kReading = 1 << 8, kStop = 1 << 9, kRestart = 1 << 10;
// Control.
constexpr uint32_t kMaster = 1, kTenBits = 1 << 4;
constexpr unsigned kSpeed = 1;
// What a transfer is given up for.
constexpr uint32_t kNoAddress = 1 << 0, kNoAcknowledge = 1 << 3, kByProgram = 1 << 16;

constexpr unsigned kByteClocks = 9;

}  // namespace

/// High and low time, of which the hardware makes each a little longer (4.3.14): SPKLEN + 7 and 1.
Cycles I2c::clock() const {
  const Registers& r = registers_;
  const bool slow = (r.control >> kSpeed & 3) == 1;
  const uint32_t high = slow ? r.slow_high : r.fast_high, low = slow ? r.slow_low : r.fast_low;
  return Cycles{high} + r.spike + 7 + low + 1;
}

void I2c::begin(Doing doing, unsigned clocks, Cycles now) {
  doing_ = doing;
  done_at_ = now + clocks * clock();
}

void I2c::command(uint32_t word, Cycles now) {
  if ((registers_.control & kMaster) == 0) not_modelled(kData, "the slave's side");
  if ((registers_.control & kTenBits) != 0) not_modelled(kData, "addresses of ten bits");
  if (!enabled_) return;
  if ((raised_ & kAborted) != 0) return;  // flushed until that is cleared
  if (commands_.size() >= kFifoDepth) {
    raise(kTransmitOver);
    return;
  }
  commands_.push_back(static_cast<uint16_t>(word & 0x7ff));
  if (doing_ == Doing::Nothing) go_on(now);
}

/// The next command. A change of direction or a wish for it makes a START of its own.
void I2c::go_on(Cycles now) {
  doing_ = Doing::Nothing;
  done_at_ = kNever;
  if (commands_.empty()) return;  // the bus is held
  const uint16_t next = commands_.front();
  const bool reads = (next & kReading) != 0;
  if (!owned_ || reads != reading_ || (next & kRestart) != 0) {
    reading_ = reads;
    owned_ = true;
    raise(kStarted | kActivity);
    commands_.front() = static_cast<uint16_t>(next & ~kRestart);
    begin(Doing::Address, 1 + kByteClocks, now);
  } else {
    begin(Doing::Byte, kByteClocks, now);
  }
}

void I2c::address_done(Cycles now) {
  const auto address = static_cast<uint8_t>(registers_.target & 0x7f);
  if (outside_ == nullptr || !outside_->start(address, reading_, now)) {
    abort(kNoAddress, now);
    return;
  }
  begin(Doing::Byte, kByteClocks, now);
}

void I2c::byte_done(Cycles now) {
  const uint16_t done = commands_.front();
  const bool last = (done & kStop) != 0;
  commands_.pop_front();
  if (reading_) {
    const uint8_t byte = outside_->received(last, now);
    if (received_.size() < kFifoDepth) {
      received_.push_back(byte);
    } else {
      raise(kReceiveOver);
    }
  } else if (!outside_->sent(static_cast<uint8_t>(done), now)) {
    abort(kNoAcknowledge, now);
    return;
  }
  if (last) {
    begin(Doing::Stop, 1, now);
  } else {
    go_on(now);
  }
}

/// What is still to be sent is flushed; then comes a STOP (4.3.11).
void I2c::abort(uint32_t reason, Cycles now) {
  abort_source_ |= reason;
  raise(kAborted);
  commands_.clear();
  begin(Doing::Stop, 1, now);
}

void I2c::advance(Cycles now) {
  while (done_at_ <= now) {
    const Cycles at = done_at_;
    switch (doing_) {
      case Doing::Address:
        address_done(at);
        break;
      case Doing::Byte:
        byte_done(at);
        break;
      default:
        owned_ = false;
        raise(kStopped);
        if (outside_ != nullptr) outside_->stop(at);
        go_on(at);
    }
    update_line();
  }
}

uint32_t I2c::raw() const {
  uint32_t bits = raised_;
  if (received_.size() > registers_.receive_level) bits |= kReceiveFull;
  if (enabled_ && commands_.size() <= registers_.transmit_level) bits |= kTransmitEmpty;
  return bits;
}

uint32_t I2c::status() const {
  const bool active = doing_ != Doing::Nothing || owned_;
  return (active ? 0x21u : 0) | (commands_.size() < kFifoDepth ? 2u : 0) |
         (commands_.empty() ? 4u : 0) | (received_.empty() ? 0 : 8u) |
         (received_.size() >= kFifoDepth ? 16u : 0);
}

uint32_t I2c::take() {
  if (received_.empty()) {
    raise(kReceiveUnder);
    return 0;
  }
  const uint32_t byte = received_.front();
  received_.pop_front();
  return byte;
}

/// Reading such a register clears its interrupt.
uint32_t I2c::clear_by_reading(uint32_t offset) {
  constexpr uint32_t kByOffset[] = {kReceiveUnder, kReceiveOver, kTransmitOver, kRequest,
                                    kAborted,      kReceiveDone, kActivity,     kStopped,
                                    kStarted,      kGeneralCall};
  const uint32_t bits = offset == kClearAll ? UINT32_MAX : kByOffset[(offset - kClearUnder) / 4];
  const uint32_t was = (raised_ & bits) != 0 ? 1 : 0;
  raised_ &= ~bits;
  if ((bits & kAborted) != 0) abort_source_ = 0;
  return was;
}

void I2c::update_line() {
  lines_.set(line_, (raw() & registers_.mask) != 0);
}

/// Registers that are what was written to them; nullptr: another one.
uint32_t* I2c::plain_register(uint32_t offset) {
  Registers& r = registers_;
  switch (offset) {
    case kControl:
      return &r.control;
    case kTarget:
      return &r.target;
    case kSlave:
      return &r.slave;
    case kSlowHigh:
      return &r.slow_high;
    case kSlowLow:
      return &r.slow_low;
    case kFastHigh:
      return &r.fast_high;
    case kFastLow:
      return &r.fast_low;
    case kMask:
      return &r.mask;
    case kReceiveLevel:
      return &r.receive_level;
    case kTransmitLevel:
      return &r.transmit_level;
    case kHold:
      return &r.hold;
    case kSetup:
      return &r.setup;
    case kGeneral:
      return &r.acknowledge_general;
    case kSpike:
      return &r.spike;
    default:
      return nullptr;
  }
}

uint32_t I2c::read(uint32_t offset, Access) {
  if (const uint32_t* plain = plain_register(offset)) return *plain;
  uint32_t value = 0;
  if (offset >= kClearAll && offset <= kClearGeneral) {
    value = clear_by_reading(offset);
  } else {
    switch (offset) {
      case kData:
        value = take();
        break;
      case kMasked:
        value = raw() & registers_.mask;
        break;
      case kRaw:
        value = raw();
        break;
      case kEnable:
        value = enabled_ ? 1 : 0;
        break;
      case kStatus:
        value = status();
        break;
      case kTransmitCount:
        value = static_cast<uint32_t>(commands_.size());
        break;
      case kReceiveCount:
        value = static_cast<uint32_t>(received_.size());
        break;
      case kAbortSource:
        value = abort_source_;
        break;
      case kDmaControl:
      case kDmaTransmit:
      case kDmaReceive:
        break;
      case kEnableStatus:
        value = enabled_ ? 1 : 0;
        break;
      case kParameters:
        break;  // not encoded on this chip
      default:
        no_register(offset);
    }
  }
  update_line();
  return value;
}

void I2c::write(uint32_t offset, Written value, Access access) {
  if (uint32_t* plain = plain_register(offset)) {
    *plain = value.over(*plain) & 0xffff;
  } else if (offset == kData) {
    command(value.bits, access.now);
  } else if (offset == kEnable) {
    const uint32_t wanted = value.over(enabled_ ? 1 : 0);
    if ((wanted & 2) != 0 && owned_) abort(kByProgram, access.now);
    enabled_ = (wanted & 1) != 0;
    if (!enabled_) {
      commands_.clear();
      received_.clear();
    }
  } else if (offset != kDmaControl && offset != kDmaTransmit && offset != kDmaReceive &&
             (offset < kClearAll || offset > kClearGeneral)) {
    // DMA's requests are heard by nobody here; clearing is by reading.
    no_register(offset);
  }
  update_line();
}

void I2c::reset(Cycles) {
  registers_ = {};
  enabled_ = owned_ = reading_ = false;
  raised_ = abort_source_ = 0;
  commands_.clear();
  received_.clear();
  doing_ = Doing::Nothing;
  done_at_ = kNever;
  update_line();
}

}  // namespace hocket::rp2040
