// What may be promised for a task set: response-time bounds and the most a server may ever receive.
//
// The derivations stand in docs/decisions/testing-the-scheduler.md and who-pays.md; nothing here
// knows how the kernel computes them.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "task_set.h"

namespace hocket::test {

/// What a kernel costs and what else disturbs its servers, with the letters of who-pays.md.
struct Account {
  Ticks entry = 0;                   ///< E
  Ticks switching = 0;               ///< S
  Ticks interrupt = 0;               ///< I
  Ticks lateness = 0;                ///< L
  Ticks masked = 0;                  ///< M
  Ticks blocking = 0;                ///< longest lock of a lower server
  Ticks lock = 0;                    ///< O_lock: longest that a server runs on beyond its budget
  bool several_cores = false;        ///< other cores wake servers
  bool idle_time = false;            ///< locks are held in idle time, too
  std::vector<Ticks> top_half = {};  ///< of each server that is an I/O virtual CPU; none: 0
  std::vector<std::pair<Ticks, Ticks>> handlers =
      {};  ///< length and distance of unmasked interrupts

  bool operator==(const Account&) const = default;
};

/// The account of a model in which a tick is pure work: timers may be late, nothing else costs.
inline Account pure_work(const TaskSet& set) {
  Account account;
  account.lateness = set.late;
  return account;
}

/// What is enforced of a budget: C' = C + w, and of an I/O virtual CPU its top half as well.
Ticks enforced(const TaskSet& set, std::size_t server, const Account& account);

/// The most that an I/O virtual CPU takes in a window: min(t, C + floor(U * (t - C))).
Ticks taken_for_io(Ticks window, Ticks budget, Ticks period);

/// Response-time analysis (Joseph and Pandya 1986; Audsley et al. 1993) of one server under its
/// higher-ranked ones, timer's lateness included: J + R with
///   R = M + blocking + C' + O_lock + sum over higher-ranked j of (ceil((R + J) / T_j) * C'_j + O),
///   J = L, O = L + M + O_lock,
/// where a higher-ranked I/O virtual CPU takes C' + floor(U' * (R + J - C')) + O instead,
/// the least fixpoint. Nothing when it exceeds the period: then no bound is claimed.
/// Exact for pure work and L = 0; otherwise an upper bound.
std::optional<Ticks> response_bound(const TaskSet& set, std::size_t server, const Account& account);
inline std::optional<Ticks> response_bound(const TaskSet& set, std::size_t server) {
  return response_bound(set, server, pure_work(set));
}

/// The same, tried tick by tick from 0 up to `end`: the first instant by which as much can have
/// been done as may be due. Nothing when there is none.
std::optional<Ticks> response_by_trying(const TaskSet& set, std::size_t server,
                                        const Account& account, Ticks end);

/// True when every server's bound exists and is within its deadline.
bool admissible(const TaskSet& set, const Account& account);
inline bool admissible(const TaskSet& set) {
  return admissible(set, pure_work(set));
}

/// The most foreground time the server may receive in any window of `length` ticks:
///   n(length + J) + L,  n(y) = floor(y / T) * C + min(C, y mod T),
/// J = 0 for the highest-ranked server, R - C for the others. For the highest-ranked server this is
/// k*C + L in k*T: an overrun shows once, however long the window is. Nothing when R does not
/// exist.
std::optional<Ticks> supply_bound(const TaskSet& set, std::size_t server, Ticks length);

}  // namespace hocket::test
