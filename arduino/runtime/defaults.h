// What loops get that a sketch does not say the budget of.
#pragma once

#include "arduino/runtime/loops.h"

namespace hocket::defaults {

struct Reservation {
  Span budget, period;
};

/// The plain loop() (Qduino, section II-C).
inline constexpr Reservation kPlainLoop{80, 100};
/// The worker loops of hocket/Thread.h, all together.
inline constexpr Reservation kThreads{40, 100};
/// The loop of hocket/Alarm.h, for all handlers together.
inline constexpr Reservation kAlarms{1, 10};

/// The loop of plain attachInterrupt(), for all its handlers together.
inline constexpr Reservation kHandlers{1, 10};
inline constexpr unsigned kHandlersId = 254;
/// The I/O virtual CPU: one in so many parts of the shortest period of its handlers' loops.
inline constexpr uint64_t kBottomHalfShare = 20;

/// noInterrupts() waits no longer for the end of a handler that is in the middle.
inline constexpr Span kLongestHandler{1000};

/// One of several that share a reservation.
constexpr Span share_of(const Reservation& all, unsigned count) {
  return {all.budget.ns / count, 0};
}

}  // namespace hocket::defaults

namespace hocket {

inline constexpr unsigned kPlainLoop = 0;  // id of loop()

/// The loop() of a sketch, as if it were declared.
constexpr LoopDescriptor plain_loop(void (*body)()) {
  constexpr auto reservation = defaults::kPlainLoop;
  LoopDescriptor d{};
  d.body = body;
  d.file = "";
  d.budget_ns = reservation.budget.ns;
  d.period_ns = d.deadline_ns = reservation.period.ns;
  d.id = kPlainLoop;
  d.core = LoopDescriptor::kAnyCore;
  d.kind = LoopKind::Loop;
  return d;
}

}  // namespace hocket
