#include "simulation/rp2040/devices/pwm.h"

#include <algorithm>

namespace hocket::rp2040 {
namespace {

// Registers (datasheet, 4.5.3): five of each slice, then those of all.
enum : uint32_t { kControl = 0x00, kDivisor = 0x04, kCount = 0x08, kCompare = 0x0c, kTop = 0x10 };
enum : uint32_t {
  kSliceSize = 0x14,
  kAll = 0xa0,
  kRaised = 0xa4,
  kEnabled = 0xa8,
  kForced = 0xac,
  kStatus = 0xb0,
};
constexpr uint32_t kInvertA = 1 << 2, kInvertB = 1 << 3, kRetard = 1 << 6, kAdvance = 1 << 7;
constexpr unsigned kMode = 4;
constexpr uint32_t kSliceMask = (1u << Pwm::kSlices) - 1;

}  // namespace

// The divisor has 8 bits and 4 of fraction; 0 means 256 (4.5.2.4). In 16ths of a cycle:

uint64_t PwmSlice::counts(Cycles now) const {
  const uint64_t sixteenths = divisor >> 4 == 0 ? 256 * 16 + (divisor & 15) : divisor;
  return offset_ + (runs() && now > base_ ? (now - base_) * 16 / sixteenths : 0);
}

Cycles PwmSlice::instant(uint64_t counts) const {
  const uint64_t sixteenths = divisor >> 4 == 0 ? 256 * 16 + (divisor & 15) : divisor;
  return base_ + ((counts - offset_) * sixteenths + 15) / 16;
}

uint32_t PwmSlice::count_at(uint64_t counts) const {
  const uint64_t up = top_ + 1ull;
  return static_cast<uint32_t>(counts < up ? counts : 2 * up - 1 - counts);
}

uint32_t PwmSlice::count(Cycles now) const {
  return count_at(std::min(counts(now), turn() - 1));
}

uint32_t PwmSlice::outputs(Cycles now) const {
  const uint32_t at = count(now);
  const uint32_t a = at < (compare_ & 0xffff) ? 1 : 0, b = at < compare_ >> 16 ? 1 : 0;
  return (a ^ ((control & kInvertA) != 0 ? 1 : 0)) | (b ^ ((control & kInvertB) != 0 ? 1 : 0)) << 1;
}

/// Goes on from the present count.
void PwmSlice::hold(Cycles now) {
  offset_ = std::min(counts(now), turn() - 1);
  base_ = now;
}

void PwmSlice::set_control(uint32_t value, Cycles now) {
  hold(now);
  if (((control ^ value) & kPhaseCorrect) != 0) offset_ = count_at(offset_);
  control = value;
}

void PwmSlice::set_divisor(uint32_t value, Cycles now) {
  hold(now);
  divisor = value & 0xfff;
}

void PwmSlice::set_count(uint32_t value, Cycles now) {
  base_ = now;
  offset_ = std::min<uint64_t>(value & 0xffff, top_);
}

void PwmSlice::set_compare(uint32_t value) {
  compare = value;
  if (!runs()) compare_ = value;
}

void PwmSlice::set_top(uint32_t value) {
  top = value & 0xffff;
  if (!runs()) top_ = top;
}

Cycles PwmSlice::next(Cycles now) const {
  if (!runs()) return kNever;
  const uint64_t done = counts(now);
  uint64_t first = turn();
  for (const uint64_t level : {uint64_t{compare_ & 0xffff}, uint64_t{compare_ >> 16}}) {
    // On the way up it is left at `level`, on the way down entered below it.
    for (const uint64_t at : {level, 2 * (uint64_t{top_} + 1) - level}) {
      if (at > done && at < first) first = at;
    }
  }
  return instant(first);
}

bool PwmSlice::advance(Cycles now) {
  bool begun = false;
  while (runs() && instant(turn()) <= now) {
    // The fraction of a count that the turn's end had is given to the next.
    const uint64_t sixteenths = divisor >> 4 == 0 ? 256 * 16 + (divisor & 15) : divisor;
    base_ += (turn() - offset_) * sixteenths / 16;
    offset_ = 0;
    top_ = top;
    compare_ = compare;
    begun = true;
  }
  return begun;
}

void Pwm::advance(Cycles now) {
  if (next_ > now) return;
  for (unsigned i = 0; i < kSlices; ++i) {
    if (slices_[i].advance(now)) raised_ |= 1u << i;
  }
  update(now);
}

/// Slice i has the pins 2i and 2i + 1, and these 16 further.
void Pwm::update(Cycles now) {
  uint32_t outputs = 0;
  next_ = kNever;
  for (unsigned i = 0; i < kSlices; ++i) {
    outputs |= slices_[i].outputs(now) << 2 * i;
    next_ = std::min(next_, slices_[i].next(now));
  }
  pins_.set_signal(Pins::kPwm, {outputs | outputs << 16, Pins::kAll}, now);
  lines_.set(irq::kPwmWrap, ((raised_ & enabled_) | forced_) != 0);
}

uint32_t Pwm::read(uint32_t offset, Access access) {
  if (offset < kAll) {
    const PwmSlice& slice = slices_[offset / kSliceSize];
    switch (offset % kSliceSize) {
      case kControl:
        return slice.control;
      case kDivisor:
        return slice.divisor;
      case kCount:
        return slice.count(access.now);
      case kCompare:
        return slice.compare;
      default:
        return slice.top;
    }
  }
  switch (offset) {
    case kAll: {
      uint32_t running = 0;
      for (unsigned i = 0; i < kSlices; ++i) running |= slices_[i].control & 1 ? 1u << i : 0;
      return running;
    }
    case kRaised:
      return raised_;
    case kEnabled:
      return enabled_;
    case kForced:
      return forced_;
    case kStatus:
      return (raised_ & enabled_) | forced_;
    default:
      no_register(offset);
  }
}

void Pwm::write_slice(unsigned index, uint32_t offset, Written value, Cycles now) {
  PwmSlice& slice = slices_[index];
  switch (offset) {
    case kControl: {
      const uint32_t control = value.over(slice.control) & 0xff;
      if ((control >> kMode & 3) != 0) not_modelled(offset, "counting by a pin");
      if ((control & (kRetard | kAdvance)) != 0) not_modelled(offset, "moving the phase");
      slice.set_control(control, now);
      break;
    }
    case kDivisor:
      slice.set_divisor(value.over(slice.divisor), now);
      break;
    case kCount:
      slice.set_count(value.over(slice.count(now)), now);
      break;
    case kCompare:
      slice.set_compare(value.over(slice.compare));
      break;
    default:
      slice.set_top(value.over(slice.top));
  }
}

void Pwm::write(uint32_t offset, Written value, Access access) {
  if (offset < kAll) {
    write_slice(offset / kSliceSize, offset % kSliceSize, value, access.now);
  } else if (offset == kAll) {
    uint32_t running = 0;
    for (unsigned i = 0; i < kSlices; ++i) running |= slices_[i].runs() ? 1u << i : 0;
    running = value.over(running);
    for (unsigned i = 0; i < kSlices; ++i) {
      const uint32_t rest = slices_[i].control & ~PwmSlice::kEnable;
      slices_[i].set_control(rest | (running >> i & 1), access.now);
    }
  } else if (offset == kRaised) {
    raised_ &= ~value.bits;
  } else if (offset == kEnabled) {
    enabled_ = value.over(enabled_) & kSliceMask;
  } else if (offset == kForced) {
    forced_ = value.over(forced_) & kSliceMask;
  } else if (offset != kStatus) {
    no_register(offset);
  }
  update(access.now);
}

void Pwm::reset(Cycles now) {
  slices_ = {};
  raised_ = enabled_ = forced_ = 0;
  update(now);
}

}  // namespace hocket::rp2040
