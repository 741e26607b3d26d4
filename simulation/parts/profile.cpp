// A quantity that changes with time: see profile.h.

#include "simulation/parts/profile.h"

namespace hocket::sim {

Profile::Profile(const std::vector<Item>& items, int64_t lowest, int64_t highest,
                 int64_t highest_speed)
    : lowest_(lowest), highest_(highest) {
  for (size_t i = 0; i < items.size(); ++i) {
    const Item& item = items[i];
    item.only({"at", "is", "speed"});
    const auto begin = static_cast<Nanos>(item.number("at", 0, kLongestTime));
    if (i == 0 && begin != 0) item.fail("must begin at=0");
    if (i > 0 && begin <= segments_.back().begin) item.fail("must have ascending times");
    if (i == 0 && !item.has("is")) item.fail("needs a value at its first point");
    if (!item.has("is") && !item.has("speed")) item.fail("needs is or speed");
    const int64_t start =
        item.has("is") ? item.number("is", lowest, highest) : value(segments_.back(), begin);
    Segment segment{begin, start, 0, 1'000'000'000};
    if (item.has("speed")) {
      segment.rate = item.number("speed", -highest_speed, highest_speed);
    } else if (i + 1 < items.size() && items[i + 1].has("is")) {
      const Item& next = items[i + 1];
      const auto end = static_cast<Nanos>(next.number("at", 0, kLongestTime));
      if (end <= begin) next.fail("must have ascending times");
      segment.rate = next.number("is", lowest, highest) - start;
      segment.span = end - begin;
    }
    segments_.push_back(segment);
  }
}

int64_t Profile::value(const Segment& segment, Nanos now) const {
  const __int128 moved = segment.rate * static_cast<__int128>(now - segment.begin) /
                         static_cast<__int128>(segment.span);
  return static_cast<int64_t>(std::clamp<__int128>(segment.value + moved, lowest_, highest_));
}

void Profile::hold(Nanos now, int64_t value) {
  while (segments_.back().begin >= now && segments_.size() > 1) segments_.pop_back();
  const Segment held{now, std::clamp(value, lowest_, highest_), 0, 1'000'000'000};
  if (segments_.back().begin >= now) segments_.clear();
  segments_.push_back(held);
}

int64_t Profile::at(Nanos now) const {
  auto after = std::upper_bound(segments_.begin(), segments_.end(), now,
                                [](Nanos instant, const Segment& s) { return instant < s.begin; });
  return value(*(after - 1), now);
}

}  // namespace hocket::sim
