// When something was due, and how long it took: releases, responses and missed deadlines of one
// loop, with the meaning they have in docs/reference/report.md.
#pragma once

#include <algorithm>

#include "kernel/base/periods.h"
#include "simulation/uno/mcu.h"

namespace hocket::uno {

/// Releases and what they came to.
class Responses {
 public:
  explicit Responses(Cycles deadline) : deadline_(deadline) {}

  void release(Cycles at) {
    ++releases_;
    release_ = at;
  }
  /// What was released last is done. A release that lies ahead had nothing to do.
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
  /// So many releases in one go, all of them missed, the last one at `at`.
  void skip(uint64_t count, Cycles at) {
    releases_ += count;
    misses_ += count;
    release_ = at;
  }
  /// What was released last, and should have been done once a `period` since, is not done yet.
  void overdue(Cycles now, Cycles period) {
    if (now <= release_) return;
    const uint64_t missed =
        deadlines_before<int64_t>(static_cast<int64_t>(now - release_),
                                  static_cast<int64_t>(period), static_cast<int64_t>(deadline_));
    misses_ += missed;
    if (missed > 0) worst_ = std::max(worst_, now - release_);
  }
  /// …and each release since then counts, whose instant has come.
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

/// The calls of a periodic loop's body: its releases are known from the start, nobody has to be
/// asked.
class Calls {
 public:
  Calls(Cycles period, Cycles deadline) : period_(period), responses_(deadline) {}

  void start(Cycles at) { next_ = at; }
  /// The release of the call that goes on, or of the next one.
  Cycles release() const { return next_ != 0 ? next_ : responses_.last_release(); }
  /// The body has run to its end. Releases that it has run into are skipped: missed deadlines.
  void done(Cycles at) {
    release_until(at);
    responses_.respond(at);
    const Cycles last = responses_.last_release();
    const Cycles skipped = at > last ? (at - last - 1) / period_ : 0;
    responses_.skip(skipped, last + skipped * period_);
    next_ = last + (skipped + 1) * period_;
  }
  /// As far as they have come by then, with what is pending and late.
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
    next_ = 0;  // the next one comes when this one is done
  }

  Cycles period_;
  Cycles next_ = 0;  // 0: none is ahead
  Responses responses_;
};

}  // namespace hocket::uno
