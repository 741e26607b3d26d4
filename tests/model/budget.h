// How a server's budget is spent and comes back: the specified refill list, and wrong ones to be
// caught.
//
// Invariants of RefillList, checked after every change (std::logic_error):
// - the amounts sum to the server's budget C, and each is positive;
// - refills are ordered and do not overlap: refill.time + refill.amount <= next.time;
// - there are at most max_refills of them.
//
//   head                            tail
//   [time 40, amount 3] [time 47, amount 2] [time 90, amount 5]     sum = C = 10
//    usable iff 40 <= now
#pragma once

#include <memory>
#include <vector>

#include "task_set.h"

namespace hocket::test {

/// Known ways to get a sporadic server wrong. A test suite that passes with one of them is blind.
enum class Defect {
  None,
  ClampedOverrun,  ///< time run past the end of a refill is forgiven: the budget is amplified
  PrematureReplenishment,  ///< POSIX: one activation time for budget that arrived at several
                           ///< instants
  KeepsOldReleaseOnWake,   ///< a sleeper's budget counts from before it woke: two budgets back to
                           ///< back
  LosesRemainder,     ///< a preempted server loses what is left of its refill until the next period
  UsableOneTickLate,  ///< a refill is used one tick after its time
  IoNothingComesBack,   ///< what an I/O virtual CPU used comes back only when all of it is used
  IoKeepsOldRelease,    ///< an I/O virtual CPU that was long asleep counts from before it woke
  IoClampedOverrun,     ///< time that an I/O virtual CPU ran past its budget is forgiven
  IoRoundsDown,         ///< eligible a tick too early
  RankIgnoresDeadline,  ///< the order of declaration decides who runs
};

/// Why the kernel charges a server for the time it ran.
enum class ChargeEvent { Preempted, Blocked, TimerFired };

/// The budget of one server. All instants are passed in; they never decrease from call to call.
class Budget {
 public:
  virtual ~Budget() = default;

  /// The backlog became positive at `now`.
  virtual void become_ready(Ticks now) = 0;

  /// The server ran `used` > 0 ticks without a break up to `now`. True when that exhausted the
  /// refill it ran on (whether or not it can go on with another one).
  virtual bool charge(Ticks now, Ticks used, ChargeEvent event) = 0;

  /// Ticks the server may run from now on before its budget timer is due; 0: not eligible.
  virtual Ticks available(Ticks now) = 0;

  /// The time of the refill it runs on or waits for.
  virtual Ticks release() const = 0;
};

/// A budget that behaves as specified (Defect::None), or with one of the defects. Beside I/O
/// virtual CPUs, what an overrun took comes back on its own.
std::unique_ptr<Budget> make_budget(const ServerSpec& spec, Defect defect, bool beside_io);

}  // namespace hocket::test
