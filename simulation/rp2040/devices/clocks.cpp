#include "simulation/rp2040/devices/clocks.h"

namespace hocket::rp2040 {
namespace {

constexpr uint32_t kCrystal = 12'000'000;
constexpr uint32_t kUsb = 48'000'000;

// Clocks (datasheet, 2.15.7): each has control, divisor and "selected".
enum : unsigned { kReference = 4, kSystem = 5, kPeripherals = 6, kUsbClock = 7, kAdcClock = 8 };
constexpr uint32_t kClockSize = 12, kClocksEnd = 0x78, kResuscitation = 0x78,
                   kResuscitationStatus = 0x7c, kGates = 0xa0, kGatesEnd = 0xc0;
constexpr uint32_t kEnabled = 1u << 11;

}  // namespace

uint32_t Oscillator::read(uint32_t offset, Access) {
  if (offset / 4 >= words_.size()) no_register(offset);
  return words_[offset / 4] | (offset == status_offset_ ? status_ : 0);
}

void Oscillator::write(uint32_t offset, Written value, Access) {
  if (offset / 4 >= words_.size()) no_register(offset);
  words_[offset / 4] = value.over(words_[offset / 4]);
}

// PLLs (datasheet, 2.18): 12 MHz / REFDIV * FBDIV / (POSTDIV1 * POSTDIV2).

uint32_t Pll::hertz() const {
  constexpr uint32_t kOff = 0x21;  // PD, VCOPD
  const uint32_t reference = control_ & 0x3f, first = post_ >> 16 & 7, second = post_ >> 12 & 7;
  if ((power_ & kOff) != 0 || reference == 0 || first == 0 || second == 0) return 0;
  return kCrystal / reference * (feedback_ & 0xfff) / (first * second);
}

uint32_t Pll::read(uint32_t offset, Access) {
  constexpr uint32_t kLocked = 1u << 31;
  switch (offset) {
    case 0x0:
      return control_ | (hertz() != 0 ? kLocked : 0);
    case 0x4:
      return power_;
    case 0x8:
      return feedback_;
    case 0xc:
      return post_;
    default:
      no_register(offset);
  }
}

void Pll::write(uint32_t offset, Written value, Access) {
  switch (offset) {
    case 0x0:
      control_ = value.over(control_) & 0x13f;
      break;
    case 0x4:
      power_ = value.over(power_) & 0x2d;
      break;
    case 0x8:
      feedback_ = value.over(feedback_) & 0xfff;
      break;
    case 0xc:
      post_ = value.over(post_) & 0x7'7000;
      break;
    default:
      no_register(offset);
  }
}

void Pll::reset(Cycles) {
  control_ = 1;
  power_ = 0x2d;
  feedback_ = 0;
  post_ = 0x7'7000;
}

/// The auxiliary source that a clock has chosen; 0: one that the emulator does not know.
uint32_t Clocks::hertz_of_auxiliary(unsigned clock) const {
  const uint32_t choice = clocks_[clock].control >> 5 & 7;
  const bool peripherals = clock == kPeripherals;
  const bool system_first = clock == kSystem || peripherals;
  if (peripherals && choice == 0) return kCyclesPerSecond;  // clk_sys
  const uint32_t pll = peripherals ? choice - 1 : choice;
  if (pll > 1) return 0;
  return (pll == 0) == system_first ? system_.hertz() : usb_.hertz();
}

/// A clock that was chosen must be the one that the emulator counts.
void Clocks::check(unsigned clock) const {
  const Clock& c = clocks_[clock];
  uint32_t wanted = 0;
  switch (clock) {
    case kSystem:
      wanted = (c.control & 1) != 0 ? kCyclesPerSecond : 0;
      break;
    case kPeripherals:
      wanted = (c.control & kEnabled) != 0 ? kCyclesPerSecond : 0;
      break;
    case kUsbClock:
    case kAdcClock:
      wanted = (c.control & kEnabled) != 0 ? kUsb : 0;
      break;
    default:
      break;
  }
  if (wanted == 0) return;
  const uint64_t divisor = c.divisor >> 8 != 0 ? c.divisor >> 8 : 0x1'0000;
  const uint64_t hertz = hertz_of_auxiliary(clock) / (clock == kPeripherals ? 1 : divisor);
  if (hertz == wanted) return;
  not_modelled("clock " + std::to_string(clock) + " at " + std::to_string(hertz) + " Hz, not at " +
               std::to_string(wanted) + " Hz,");
}

uint32_t Clocks::read(uint32_t offset, Access) {
  if (offset < kClocksEnd) {
    const unsigned clock = offset / kClockSize;
    const Clock& c = clocks_[clock];
    switch (offset % kClockSize) {
      case 0:
        return c.control;
      case 4:
        return c.divisor;
      default:  // selected: a switch takes no time
        return clock == kReference || clock == kSystem ? 1u << (c.control & 3) : 1;
    }
  }
  if (offset == kResuscitation) return resuscitation_;
  if (offset == kResuscitationStatus) return 0;
  if (offset >= kGates && offset < kGatesEnd) return gates_[(offset - kGates) / 4];
  not_modelled(offset, "counting frequencies, and clocks' interrupts");
}

void Clocks::write(uint32_t offset, Written value, Access) {
  if (offset < kClocksEnd) {
    const unsigned clock = offset / kClockSize;
    Clock& c = clocks_[clock];
    if (offset % kClockSize == 0) c.control = value.over(c.control);
    if (offset % kClockSize == 4) c.divisor = value.over(c.divisor);
    check(clock);
  } else if (offset == kResuscitation) {
    resuscitation_ = value.over(resuscitation_);
  } else if (offset >= kGates && offset < kGatesEnd) {
    uint32_t& gate = gates_[(offset - kGates) / 4];
    gate = value.over(gate);
  } else {
    not_modelled(offset, "counting frequencies, and clocks' interrupts");
  }
}

}  // namespace hocket::rp2040
