// What may be promised for a task set: response-time bounds and the most a server may ever receive.
//
// The derivations, with the allowance for late timers, stand in
// docs/decisions/testing-the-scheduler.md. Overheads are zero here: a tick of the model is pure
// work.
#pragma once

#include <optional>

#include "task_set.h"

namespace hocket::test {

/// Exact response-time analysis (Joseph and Pandya 1986; Audsley et al. 1993) of one server under
/// its higher-ranked ones, with L = set.late:
///   R = C + L + sum over higher-ranked j of (ceil(R / T_j) * C_j + L),
/// the least fixpoint. Nothing when R exceeds the period: then no bound is claimed.
/// Exact for L = 0; an upper bound for L > 0.
std::optional<Ticks> response_bound(const TaskSet& set, std::size_t server);

/// True when every server's bound exists and is within its deadline.
bool admissible(const TaskSet& set);

/// The most foreground time the server may receive in any window of `length` ticks:
///   n(length + J) + L,  n(y) = floor(y / T) * C + min(C, y mod T),
/// J = 0 for the highest-ranked server, R - C for the others. For the highest-ranked server this is
/// k*C + L in k*T: an overrun shows once, however long the window is. Nothing when R does not
/// exist.
std::optional<Ticks> supply_bound(const TaskSet& set, std::size_t server, Ticks length);

}  // namespace hocket::test
