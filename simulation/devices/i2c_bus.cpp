#include "simulation/devices/i2c_bus.h"

#include <algorithm>

namespace hocket::sim {
namespace {

using sys::I2cEnd;

/// Clocks of a byte with its acknowledgement.
constexpr uint64_t kByte = 9;

Nanos time_of(uint64_t clocks, uint32_t hertz) {
  constexpr uint64_t kSecond = 1'000'000'000;
  return clocks * kSecond / std::clamp(hertz, sys::kSlowestI2c, sys::kFastestI2c);
}

}  // namespace

bool I2cBus::begin(Nanos now, uint8_t address, bool reads) {
  const auto found = targets_.find(address);
  talking_ = nullptr;
  if (found == targets_.end()) return false;
  if (!found->second->addressed(now, reads)) return false;
  talking_ = found->second;
  if (std::find(started_.begin(), started_.end(), talking_) == started_.end())
    started_.push_back(talking_);
  return true;
}

bool I2cBus::write(Nanos now, uint8_t byte) {
  return talking_ != nullptr && talking_->takes(now, byte);
}

uint8_t I2cBus::read(Nanos now) {
  return talking_ != nullptr ? talking_->gives(now) : 0xff;  // the pull-up resistor
}

void I2cBus::stop(Nanos now) {
  talking_ = nullptr;
  std::vector<I2cTarget*> started;
  started.swap(started_);
  for (I2cTarget* target : started) target->stopped(now);
}

I2cAnswer I2cBus::transfer(Nanos now, const sys::I2cTransfer& asked, const uint8_t* out,
                           uint8_t* in) {
  uint64_t clocks = 0;  // so far
  I2cAnswer answer;
  const auto instant = [&] { return now + time_of(clocks, asked.hertz); };
  const auto steps = [&] {
    if (asked.writes) {
      clocks += 1 + kByte;
      if (!begin(instant(), asked.address, /*reads=*/false)) return I2cEnd::NoDevice;
      for (size_t i = 0; i < asked.out_size; ++i) {
        clocks += kByte;
        if (!write(instant(), out[i])) return I2cEnd::NotTaken;
      }
    }
    if (asked.in_size > 0) {
      clocks += 1 + kByte;
      if (!begin(instant(), asked.address, /*reads=*/true)) return I2cEnd::NoDevice;
      for (; answer.received < asked.in_size; ++answer.received) {
        clocks += kByte;
        in[answer.received] = read(instant());
      }
    }
    return I2cEnd::Done;
  };
  answer.end = steps();
  ++clocks;  // the stop
  stop(instant());
  answer.lasts = time_of(clocks, asked.hertz);
  return answer;
}

}  // namespace hocket::sim
