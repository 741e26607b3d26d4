// The server of I/O virtual CPUs, which serve interrupts: a priority-inheritance
// bandwidth-preserving server (PIBS). It has one budget, one instant from which the budget is
// usable, and no list of refills. All times are in ticks of the port's clock.
//
// Source: Danish, Li, West, "Virtual-CPU scheduling in the Quest operating system", RTAS 2011.
// docs/decisions/interrupts-on-a-budget.md says why it is a server of its own, and what it takes
// from other entities.
//
//   woken     preempted   done: 3 used          U = C / T = 1/4
//   ▼ ▓▓░░░▓▓▓▓▓│                                     ▼ next eligible: 12 after it was
//   e ─────────────────────────────────────────────── e + 3/U        the whole budget again
//
// When the owner stops or has used the budget up, the whole budget becomes usable again at e + used
// / U. Here e is the later of two instants: the previous such instant, and the wake-up. Many short
// activations therefore cost only their own time, where a sporadic server's list of refills would
// fill up. An overrun is carried: it delays the next budget.
//
// SporadicOrPibs is either server, chosen for each entity, so main and I/O virtual CPUs can share a
// core. Both are a head with a time and an amount, and differ only in what happens when the head
// ends. The functions that are called while an entity runs or wakes therefore need no branch beyond
// those of the sporadic server.
#pragma once

#include "kernel/sched/sporadic_server.h"

namespace hocket {

/// How long a part of a budget takes to return: part · period / budget, rounded up. The result is
/// exact. It needs no types wider than a duration, and no division after reset().
template <class Rep>
class ComesBack {
  static constexpr bool kSmall = kCircularTime<Rep>;
  using Word = ChosenType<kSmall, uint32_t, uint64_t>;

 public:
  using Duration = BasicDuration<Rep>;

  /// Requires 0 < budget ≤ period, and both less than a quarter of the range of durations.
  constexpr void reset(Duration budget, Duration period) {
    const Word divisor = word(budget);
    whole_ = word(period) / divisor;
    fraction_ = 0;
    Word rest = word(period) % divisor;
    for (unsigned i = 0; i < 8 * sizeof(Word); ++i) {
      rest += rest;
      fraction_ += fraction_;
      if (rest < divisor) continue;
      rest -= divisor;
      ++fraction_;
    }
  }

  /// Takes the same budget and period as reset(). Requires 0 ≤ part ≤ budget.
  constexpr Duration after(Duration part, Duration budget, Duration period) const {
    const Word used = word(part);
    // `time` is the exact result or up to two less. `due` is the difference of two products, and is
    // small, so it is exact even if both products wrap.
    Word time = used * whole_ + high_product(used, fraction_);
    for (Word due = used * word(period) - time * word(budget); due != 0; ++time) {
      due = due < word(budget) ? 0 : due - word(budget);
    }
    return Duration(static_cast<Rep>(time));
  }

  constexpr bool is_set() const { return whole_ != 0; }
  constexpr void clear() { whole_ = 0; }

 private:
  static constexpr Word word(Duration duration) { return static_cast<Word>(duration.ticks()); }

  // period / budget: the whole number (0: not set), and the remainder in units of the lowest bit.
  Word whole_ = 0;
  Word fraction_ = 0;
};

/// A tag for reset(): the entity is an I/O virtual CPU.
struct ForIo {};

template <class Rep, unsigned kCapacity>
class SporadicOrPibs : public SporadicServer<Rep, kCapacity, true> {
  using Base = SporadicServer<Rep, kCapacity, true>;

 public:
  using typename Base::Duration;
  using typename Base::Instant;
  /// Some entities are I/O virtual CPUs.
  static constexpr bool kServesIo = true;

  void reset(Duration budget, Duration period, Instant start, unsigned limit = kCapacity) {
    comes_back_.clear();
    Base::reset(budget, period, start, limit);
  }
  void reset(Duration budget, Duration period, Instant start, ForIo) {
    Base::reset(budget, period, start);
    comes_back_.reset(budget, period);
    may_move();
  }
  bool serves_io() const { return comes_back_.is_set(); }

  /// Changes the budget and period of a stopped owner. Admission must have accepted the larger
  /// budget and the larger utilisation.
  void change(Duration budget, Duration period) {
    HOCKET_CHECK(serves_io() && this->consumed_ == Duration(0));
    const Instant eligible = this->time();
    reset(budget, period, eligible, ForIo{});
  }

  HOCKET_IN_LINE void use_up(Duration least) {
    if (!serves_io()) Base::use_up(least);  // a PIBS has no refill that a rest could wait for
  }
  HOCKET_IN_LINE void stop(Duration smallest) {
    if (serves_io()) return come_back();
    Base::stop(smallest);
  }
  HOCKET_APART void join_crumbs(Duration activation) {
    if (!serves_io()) Base::join_crumbs(activation);
  }

 private:
  [[gnu::noinline]] void come_back() {
    Duration used = this->consumed_;
    this->consumed_ = Duration(0);
    auto& head = this->refill_.front();
    for (; used >= head.amount; used -= head.amount) head.time += this->period_;
    if (used > Duration(0)) head.time += comes_back_.after(used, head.amount, this->period_);
    this->begin_head();
    may_move();
  }

  /// Waking may move the head by any time, so unblock() takes its short path.
  void may_move() { this->latest_ = this->time() + Instant::quarter_turn(); }

  ComesBack<Rep> comes_back_;
};

}  // namespace hocket
