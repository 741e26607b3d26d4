// When work was due and how long it took: releases, responses and missed deadlines of one loop, as
// defined in docs/reference/report.md.
#pragma once

#include <algorithm>

#include "kernel/base/periods.h"
#include "simulation/avr/mcu.h"

namespace hocket::avr {

/// Releases and their results.
class Responses {
 public:
  explicit Responses(Cycles deadline) : deadline_(deadline) {}

  void release(Cycles at) {
    ++releases_;
    release_ = at;
  }
  /// The last release is done. A release in the future had nothing to do.
  void respond(Cycles at) {
    if (at <= release_) return;
    worst_ = std::max(worst_, at - release_);
    if (at - release_ > deadline_) ++misses_;
  }
  /// The same for a budget, which is due again after each deadline.
  void received(Cycles at) {
    if (at <= release_) return;
    worst_ = std::max(worst_, at - release_);
    overdue(at, deadline_);
  }
  /// Adds `count` releases that were all missed, the last one at `at`.
  void skip(uint64_t count, Cycles at) {
    releases_ += count;
    misses_ += count;
    release_ = at;
  }
  /// The last release, and one in each `period` since, is not done yet.
  void overdue(Cycles now, Cycles period) {
    if (now <= release_) return;
    const uint64_t missed =
        deadlines_before<int64_t>(static_cast<int64_t>(now - release_),
                                  static_cast<int64_t>(period), static_cast<int64_t>(deadline_));
    misses_ += missed;
    if (missed > 0) worst_ = std::max(worst_, now - release_);
  }
  /// Also counts each release since then whose instant has come.
  void released_until(Cycles now, Cycles period) {
    if (now > release_) releases_ += (now - release_) / period;
  }

  Cycles last_release() const { return release_; }
  uint64_t releases() const { return releases_; }
  uint64_t misses() const { return misses_; }
  Cycles worst() const { return worst_; }

 private:
  Cycles deadline_;
  Cycles release_ = 0;
  uint64_t releases_ = 0;
  uint64_t misses_ = 0;
  Cycles worst_ = 0;
};

/// The calls of a periodic loop's body. Its releases are known from the start.
class Calls {
 public:
  Calls(Cycles period, Cycles deadline) : period_(period), responses_(deadline) {}

  void start(Cycles at) { next_ = at; }
  /// The release of the call in progress, or of the next one.
  Cycles release() const { return next_ != 0 ? next_ : responses_.last_release(); }
  /// The body has run to its end. Releases that it has overrun into are skipped, and are missed
  /// deadlines.
  void done(Cycles at) {
    release_until(at);
    responses_.respond(at);
    const Cycles last = responses_.last_release();
    const Cycles skipped = at > last ? (at - last - 1) / period_ : 0;
    responses_.skip(skipped, last + skipped * period_);
    next_ = last + (skipped + 1) * period_;
  }
  /// The result so far, including pending and late calls.
  Responses until(Cycles now) {
    release_until(now);
    Responses all = responses_;
    if (next_ != 0) return all;  // the body is done
    all.overdue(now, period_);
    all.released_until(now, period_);
    return all;
  }

 private:
  void release_until(Cycles now) {
    if (next_ == 0 || next_ > now) return;
    responses_.release(next_);
    next_ = 0;  // the next call comes when this one is done
  }

  Cycles period_;
  Cycles next_ = 0;  // 0: none is in the future
  Responses responses_;
};

}  // namespace hocket::avr
