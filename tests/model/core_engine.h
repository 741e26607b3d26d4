// What judges and is judged: a scheduler of one core, told what happened and when.
//
// Readings of the clock are all it knows of time; they never go back. Servers are numbered by rank,
// 0 first. After block() and sleep(), and after a wake() that asks for it, pick() follows with the
// same reading.
#pragma once

#include <limits>

#include "costs.h"

namespace hocket::test {

inline constexpr Ticks kNever = std::numeric_limits<Ticks>::max() / 4;
inline constexpr int kIdleCore = -1;

/// What brought the kernel to its reading of the clock: its timer, another interrupt, a call.
enum class Cause { Timer, Interrupt, Call };

/// Who wakes: a thread of this core, an interrupt of this core, a thread of another core.
enum class Waker { Call, Interrupt, OtherCore };

enum class Effect { None, Timer, Decide, Takes };

struct Choice {
  int server = kIdleCore;
  bool changed = false;   ///< somebody else runs, or the running one's refill has ended
  bool preempts = false;  ///< it came before who ran; where ranks do not say so
};

class CoreEngine {
 public:
  virtual ~CoreEngine() = default;
  virtual void block(int server, Ticks now) = 0;
  virtual void sleep(int server, Ticks now, Ticks until) = 0;
  virtual Effect wake(int server, Ticks now, Waker waker) = 0;
  /// An interrupt's top half, which takes `length` at most, wakes an I/O virtual CPU. Takes: it
  /// runs from now on; Decide: pick() follows when the top half is over, with a reading of its own.
  virtual Effect top_half(int server, Ticks now, Ticks length) = 0;
  virtual void raise(int server, int ceiling, Ticks now, Ticks hold_until) = 0;
  virtual void lower(int server, Ticks now) = 0;
  virtual Choice pick(Ticks now, Cause cause) = 0;
  /// When pick() must be called at the latest, if nothing happens before.
  virtual Ticks next_event() = 0;
  /// Whether a server that waits would come before who runs, if it were woken now. Asked where
  /// ranks do not say so.
  virtual bool would_preempt(int /*server*/, Ticks /*now*/) { return true; }
};

}  // namespace hocket::test
