// The rules of docs/decisions/who-pays.md, written plainly: plain lists, searched from the front.
//
// What they leave open, and an engine whose schedule is compared with this one's must do as well:
// 1. At a reading, sleeps that have ended are acted upon first, each as of its own instant. Then
// the
//    highest-ranked eligible server is sought. Who is outranked is preempted, even when its limit
//    has passed meanwhile: an interrupt that began before the limit may be read behind it. Only
//    when nobody preempts has it used its budget up: at a call and at the timer's interrupt if
//    limit <= now, at another interrupt, which may have begun E before, if limit <= now - E.
// 2. A head is usable from its time on, whatever of it is used and not put down yet.
// 3. The interrupt that changes nothing moves the running one's account by I. An interrupt of this
//    core that wakes somebody who cannot run yet is charged to whom it wakes, I as well.
// 4. What is used is put down when the head is used up, when the rest is to be joined (rule 6), and
//    before a move for which it is too much (rule 7): when the moves add up to more than T / 256,
//    or when the use and the move come to more than half a period.
// 5. An overrun is put down on the refills in line.
#pragma once

#include <memory>

#include "core_engine.h"
#include "workload.h"

namespace hocket::test {

/// Rules broken on purpose: what the properties must catch.
enum class Broken {
  Nothing,
  WakeFree,            ///< rule 1: who preempts is charged from its reading plus the switch on
  EntryToInterrupted,  ///< rule 1: the interrupted is charged up to the reading
  SwitchBackToNext,    ///< rule 2: who stops is charged up to the reading, the next from there on
  LimitNotEarly,       ///< rule 5
  RestNotUsedUp,       ///< rule 5
  SmallRestMergedWhileReady,  ///< rule 6
  IpiFree,                    ///< rule 3
  MovesUnlimited,             ///< rule 7: without T / finest
  MovesAlmostAll,             ///< rule 7: without the half period, see refills.h
  EndBeforePreemption,        ///< who is preempted behind its limit has used its budget up
  RefillEarly,                ///< replenishment one tick early
  OverrunForgiven,
  CrumbsStay,          ///< rule 9
  TopHalfFree,         ///< rule 10: a top half before its I/O virtual CPU's budget is not paid
  TopHalfInterrupted,  ///< rule 10: the interrupted pays for it
  IoShortUseFree,      ///< rule 11: an I/O virtual CPU that waits again has all its budget at once
  IoOverrunForgiven,   ///< rule 11
  HoldPaysInterrupts,  ///< rules 3, 10: what the holder of a lock is spared is part of its hold
  IoKeepsOldRelease,   ///< rule 11: it counts from when it was eligible, not from when it was woken
};

/// A scheduler by the rules for the servers of a workload.
std::unique_ptr<CoreEngine> make_rules(const Workload& set, Broken broken = Broken::Nothing);

}  // namespace hocket::test
