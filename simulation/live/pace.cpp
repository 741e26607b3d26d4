// The board's time relative to the host's: see pace.h.
#include "simulation/live/pace.h"

#include <chrono>

namespace hocket::live {
namespace {

constexpr double kLongest = 4e18;  // ns, about 130 years: the largest value that is computed

Nanos sum(Nanos from, double more) {
  const double room = kLongest - static_cast<double>(from);
  return from + static_cast<Nanos>(more < 0 ? 0 : more < room ? more : room > 0 ? room : 0);
}

}  // namespace

Nanos Pace::clock() {
  using std::chrono::steady_clock;
  return static_cast<Nanos>(
      std::chrono::nanoseconds(steady_clock::now().time_since_epoch()).count());
}

void Pace::begin(Nanos here, double times) {
  times_ = times;
  board_ = here;
  computer_ = clock();
}

Nanos Pace::limit(Nanos here, Nanos later) {
  if (times_ == 0) return kNever;
  constexpr double kForgiven = 2e8;  // ns of host time: a larger delay is forgotten
  const Nanos now = clock();
  Nanos limit = sum(board_, static_cast<double>(now - computer_) * times_);
  if (limit > here && static_cast<double>(limit - here) > kForgiven * times_) {
    begin(here, times_);
    limit = here;
  }
  return sum(limit, static_cast<double>(later) * times_);
}

Nanos Pace::until(Nanos there) const {
  if (times_ == 0 || there <= board_) return 0;
  const double wanted = static_cast<double>(there - board_) / times_;
  if (wanted > kLongest) return kNever;
  const double passed = static_cast<double>(clock() - computer_);
  return wanted <= passed ? 0 : static_cast<Nanos>(wanted - passed);
}

}  // namespace hocket::live
