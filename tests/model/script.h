// What a thread of the machine does in a round of its body: work, calls of the kernel, and a wait.
#pragma once

#include <algorithm>
#include <deque>

#include "generate.h"
#include "workload.h"

namespace hocket::test {

/// What a thread does next. Work can be interrupted; the tail of a call and masked work cannot.
struct Step {
  enum class Kind { Work, Masked, Tail, Raise, Lower, Wake, Wait, Again } kind;
  Ticks left = 0;
};
using Script = std::deque<Step>;

/// Does nothing else, for good.
inline void spin(Script& steps, Ticks horizon) {
  steps.push_back({Step::Kind::Work, horizon});
  steps.push_back({Step::Kind::Again, 0});
}

/// A round, at the end of which the thread waits, or begins the next one at once. `tail_length`
/// draws how long a call of the kernel takes until it reads the clock.
template <class TailLength>
void add_round(Script& steps, const Body& body, Random& random, TailLength tail_length) {
  const bool spins = body.wait == Body::Wait::Never;
  Ticks left = random.between(body.work_least, body.work_most);
  const auto tail = [&](Step::Kind kind) {
    const Ticks length = std::min({tail_length(), left});
    left -= length;
    steps.push_back({Step::Kind::Tail, length});
    steps.push_back({kind, 0});
  };
  const auto some = [&](Ticks most) {
    const Ticks length = random.between(0, std::min(most, left));
    left -= length;
    steps.push_back({Step::Kind::Work, length});
  };
  // The last tail comes out of the round's work, too: it is put aside first.
  const Ticks last = spins ? 0 : std::min(std::max<Ticks>(1, tail_length()), left);
  left -= last;
  if (body.hold > 0 && left > 0) {
    some(left);
    tail(Step::Kind::Raise);
    const Ticks outside = left;
    left = std::min(left, body.hold);
    const Ticks inside = left;
    Ticks unlock = std::min(tail_length(), left);
    steps.push_back({Step::Kind::Work, inside - unlock});
    steps.push_back({Step::Kind::Tail, unlock});
    steps.push_back({Step::Kind::Lower, 0});
    left = outside - inside;
  }
  if (body.wakes >= 0) {
    some(left);
    tail(Step::Kind::Wake);
  }
  if (body.masks > 0) {
    if (body.masks_behind > 0) {
      const Ticks before = std::min(left, body.masks_behind);
      left -= before;
      steps.push_back({Step::Kind::Work, before});
    } else {
      some(left);
    }
    const Ticks masked = std::min(left, body.masks);
    left -= masked;
    steps.push_back({Step::Kind::Masked, masked});
  }
  steps.push_back({Step::Kind::Work, left});
  if (spins) {
    steps.push_back({Step::Kind::Again, 0});
    return;
  }
  steps.push_back({Step::Kind::Tail, last});
  steps.push_back({Step::Kind::Wait, 0});
}

}  // namespace hocket::test
