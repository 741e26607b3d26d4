// Budgets of loops for which the sketch declares none.
#pragma once

#include "arduino/runtime/loops.h"

namespace hocket::defaults {

struct Reservation {
  Span budget, period;
};

/// The plain loop() (Qduino, section II-C).
inline constexpr Reservation kPlainLoop{80, 100};
/// The worker loops of hocket/Thread.h, which share this reservation.
inline constexpr Reservation kThreads{40, 100};
/// The loop of hocket/Alarm.h, which calls all alarm handlers.
inline constexpr Reservation kAlarms{1, 10};

/// The loop of plain attachInterrupt(), which calls all its handlers.
inline constexpr Reservation kHandlers{1, 10};
inline constexpr unsigned kHandlersId = 254;
/// The default I/O virtual CPU gets 1/20 of the shortest period of the handler loops that it
/// serves.
inline constexpr uint64_t kBottomHalfShare = 20;

/// noInterrupts() waits no longer than this (ms) for a running handler to end.
inline constexpr Span kLongestHandler{1000};

/// The share of each of `count` loops that share a reservation.
constexpr Span share_of(const Reservation& all, unsigned count) {
  return {all.budget.ns / count, 0};
}

}  // namespace hocket::defaults

namespace hocket {

inline constexpr unsigned kPlainLoop = 0;  // id of loop()

/// The descriptor of a sketch's plain loop(), which declares none itself.
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
