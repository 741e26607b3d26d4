#include "simulation/devices/i2c_bus.h"

#include <algorithm>

#include "simulation/devices/event_queue.h"

namespace hocket::sim {
namespace {

using sys::I2cEnd;

/// Clocks of one byte including its acknowledgement.
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

Nanos I2cBus::released(Nanos now, bool data_too) const {
  for (bool moved = true; moved && now != kNever;) {
    moved = false;
    for (const Hold& hold : holds_) {
      if (hold.line == Line::Data && !data_too) continue;
      if (hold.from > now || now >= hold.until) continue;
      now = hold.until;
      moved = true;
    }
  }
  return now;
}

/// The instant `lasts` of clock time after `now`. The clock stands still while SCL is held.
Nanos I2cBus::clocked(Nanos now, Nanos lasts) const {
  Nanos at = released(now, /*data_too=*/false);
  while (at != kNever) {
    Nanos next = kNever;  // when the next hold of the clock begins
    for (const Hold& hold : holds_)
      if (hold.line == Line::Clock && hold.from > at) next = std::min(next, hold.from);
    if (next - at > lasts) return at + lasts;
    lasts -= next - at;
    at = released(next, /*data_too=*/false);
  }
  return kNever;
}

Nanos I2cBus::start_ends(Nanos now, Nanos lasts) const {
  if (holds_.empty()) return now + lasts;
  const Nanos free = released(now, /*data_too=*/true);
  return free == kNever ? kNever : clocked(free, lasts);
}

Nanos I2cBus::byte_ends(Nanos now, Nanos lasts) const {
  const auto stretched = stretches_.find(talking_);
  const Nanos longer = talking_ != nullptr && stretched != stretches_.end() ? stretched->second : 0;
  if (holds_.empty()) return now + lasts + longer;
  const Nanos sent = clocked(now, lasts);
  return sent == kNever ? kNever : released(sent + longer, /*data_too=*/false);
}

bool I2cBus::data_held(Nanos from, Nanos until) const {
  return std::any_of(holds_.begin(), holds_.end(), [&](const Hold& hold) {
    return hold.line == Line::Data && hold.from < until && from < hold.until;
  });
}

namespace {

/// The clocks of one transfer, and the times at which they are held up. Clocks are counted as an
/// integer, so that no rounding accumulates.
class Clocks {
 public:
  Clocks(const I2cBus& bus, Nanos now, const sys::I2cTransfer& asked)
      : bus_(bus), begins_(now), hertz_(asked.hertz), timeout_(Nanos{asked.timeout_us} * 1000) {}

  Nanos now() const { return begins_ + time_of(clocks_, hertz_) + waited_; }
  /// Returns false if the transfer is aborted.
  bool start() {
    return pass(1, [this](Nanos from, Nanos lasts) { return bus_.start_ends(from, lasts); });
  }
  bool byte() {
    return pass(kByte, [this](Nanos from, Nanos lasts) { return bus_.byte_ends(from, lasts); });
  }
  void stop() { ++clocks_; }
  Nanos lasts() const { return std::min(time_of(clocks_, hertz_) + waited_, kForGood); }

 private:
  /// For a line that stays low for good without a timeout: longer than any run.
  static constexpr Nanos kForGood = 10'000'000'000'000'000;

  template <class Ends>
  bool pass(uint64_t clocks, Ends ends) {
    const Nanos from = now();
    clocks_ += clocks;
    const Nanos undisturbed = now();
    const Nanos until = ends(from, undisturbed - from);
    const Nanos more = until == kNever ? kForGood : until - undisturbed;
    if (timeout_ != 0 && waited_ + more > timeout_) {
      waited_ = timeout_;
      return false;
    }
    waited_ = std::min(waited_ + more, kForGood);
    return until != kNever;
  }

  const I2cBus& bus_;
  Nanos begins_;
  uint32_t hertz_;
  Nanos timeout_;
  uint64_t clocks_ = 0;
  Nanos waited_ = 0;
};

}  // namespace

I2cAnswer I2cBus::transfer(Nanos now, const sys::I2cTransfer& asked, const uint8_t* out,
                           uint8_t* in) {
  I2cAnswer answer;
  Clocks clocks(*this, now, asked);
  // Devices see each step when its byte has passed on the bus.
  const auto sends = [&](const auto& step, I2cEnd refused) {
    const Nanos from = clocks.now();
    const Nanos sent = from + time_of(kByte, asked.hertz);
    const bool taken = step(sent);
    if (!clocks.byte()) return I2cEnd::TimedOut;
    if (data_held(from, clocks.now())) return I2cEnd::Failed;
    return taken ? I2cEnd::Done : refused;
  };
  const auto addresses = [&](bool reads) {
    if (!clocks.start()) return I2cEnd::TimedOut;
    return sends([&](Nanos at) { return begin(at, asked.address, reads); }, I2cEnd::NoDevice);
  };
  const auto steps = [&] {
    if (asked.writes) {
      I2cEnd end = addresses(/*reads=*/false);
      for (size_t i = 0; end == I2cEnd::Done && i < asked.out_size; ++i)
        end = sends([&](Nanos at) { return write(at, out[i]); }, I2cEnd::NotTaken);
      if (end != I2cEnd::Done) return end;
    }
    if (asked.in_size > 0) {
      if (const I2cEnd end = addresses(/*reads=*/true); end != I2cEnd::Done) return end;
      for (; answer.received < asked.in_size; ++answer.received) {
        const Nanos from = clocks.now();
        const uint8_t byte = read(from + time_of(kByte, asked.hertz));
        if (!clocks.byte()) return I2cEnd::TimedOut;
        in[answer.received] = data_held(from, clocks.now()) ? 0 : byte;
      }
    }
    return I2cEnd::Done;
  };
  answer.end = steps();
  clocks.stop();
  stop(clocks.now());
  answer.lasts = clocks.lasts();
  return answer;
}

}  // namespace hocket::sim
