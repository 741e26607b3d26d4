// Who has caused how much kernel time on one core, at its declared length, and what of it somebody
// else has paid, too.
#pragma once

#include <algorithm>
#include <vector>

#include "machine.h"

namespace hocket::test {

/// Joins what follows on the last stretch.
inline void note(std::vector<std::vector<Stretch>>& where, int server, Ticks from, Ticks to) {
  if (from >= to) return;
  auto& list = where[static_cast<std::size_t>(server)];
  if (!list.empty() && list.back().to == from) {
    list.back().to = to;
  } else {
    list.push_back({server, from, to});
  }
}

class Bill {
 public:
  explicit Bill(std::vector<std::vector<Stretch>>& caused) : caused_(caused) {}

  void pay(int server, Ticks from, Ticks to) {
    auto& list = of(server);
    note(caused_, server, list.empty() ? from : std::max(from, list.back().to), to);
  }

  /// What the preempted one did within the preempting one's time is not its own.
  void take_back(int server, Ticks from) {
    auto& list = of(server);
    while (!list.empty() && list.back().from >= from) list.pop_back();
    if (!list.empty()) list.back().to = std::min(list.back().to, from);
    // The top half is paid twice.
    spared_ += std::max<Ticks>(0, top_half_.to - std::max(top_half_.from, from));
  }

  /// A top half has interrupted the running one, and taken less than it is declared to, or as long.
  void interrupted(const Stretch& top_half, Ticks longest) {
    top_half_ = top_half;
    spared_ += longest - std::max<Ticks>(0, top_half.to - top_half.from);
  }

  /// What the running one, which runs since `since`, did is its own but for what top halves took
  /// less than they are declared to. (kIdleCore: nobody runs.)
  void forget_spared(int running, Ticks since) {
    top_half_ = {};
    if (running == kIdleCore) return;
    auto& list = of(running);
    for (; spared_ > 0 && !list.empty() && list.back().to > since;) {
      Stretch& last = list.back();
      const Ticks part = std::min(spared_, last.to - std::max(last.from, since));
      last.to -= part;
      spared_ -= part;
      if (last.to == last.from) list.pop_back();
    }
    spared_ = 0;
  }

 private:
  std::vector<Stretch>& of(int server) { return caused_[static_cast<std::size_t>(server)]; }

  std::vector<std::vector<Stretch>>& caused_;
  Ticks spared_ = 0;  // of the running one's time since it runs, so much somebody else has paid
  Stretch top_half_;  // the last one that interrupted it
};

}  // namespace hocket::test
