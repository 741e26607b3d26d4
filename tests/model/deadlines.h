// Admission by earliest deadline first, by trying: the schedule itself, and work counted as it
// comes due.
//
// Knows nothing of QPA, busy intervals or shares of a processor. For deadlines up to the period the
// release of all at once is the worst case (Baruah, Rosier, Howell 1990).
#pragma once

#include <vector>

#include "response_time.h"

namespace hocket::test {

/// A critical section of a server, with a lock whose users' shortest deadline is `user`.
struct Section {
  Ticks length = 0;
  Ticks holder = 0;  ///< deadline of the server whose section it is
  Ticks user = 0;
};

/// Released at once and run by deadlines, one tick after the other, over the hyperperiod: whether
/// every job is done by its deadline. Pure work; utilisation up to one.
bool no_job_misses(const TaskSet& set);

/// The first instant after a common release by which more is due than there is time, counted tick
/// by tick; 0: there is none. What is due by t is, with the letters of who-pays.md,
///   J + M + longest section of those with user <= t < holder
///     + I for each with D - C' < t < D, and again among several cores
///     + every job of C' that is due by t + O for each server that has one.
/// The section of `account.blocking` is of a lock that all use; in idle time it is held by a server
/// whose budget comes on top. Handlers are not counted.
/// An I/O virtual CPU has one job of C' that is due by its deadline, and a C'/T part of a tick more
/// is due by each tick from then on, rounded up; its top half is due by any t. Looked at is what
/// ends with a job, or begins to block.
Ticks first_overload_by_counting(const TaskSet& set, const Account& account = {},
                                 std::vector<Section> sections = {});

/// Whether no more is due than there is time, parts of ticks as they are, at any t at which
/// something of somebody may be due.
bool never_overloaded(const TaskSet& set, const Account& account = {},
                      std::vector<Section> sections = {});

}  // namespace hocket::test
