// When something was due, and how long it took: releases, responses and missed deadlines of one
// loop, with the meaning they have in docs/reference/report.md.
#pragma once

#include <algorithm>

#include "boards/uno/simulator/mcu.h"

namespace hocket::uno {

/// Releases and what they came to.
class Responses {
 public:
  explicit Responses(Cycles deadline) : deadline_(deadline) {}

  void release(Cycles at) {
    ++releases_;
    release_ = at;
  }
  void miss() { ++misses_; }
  /// What was released last is done. A release that lies ahead had nothing to do.
  void respond(Cycles at) {
    if (at <= release_) return;
    worst_ = std::max(worst_, at - release_);
    if (at - release_ > deadline_) ++misses_;
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
  /// The body has run to its end. Releases that it has run into are skipped: missed deadlines.
  void done(Cycles at) {
    release_until(at);
    responses_.respond(at);
    for (next_ = responses_.last_release() + period_; next_ < at; next_ += period_) {
      responses_.release(next_);
      responses_.miss();
    }
  }
  /// As far as they have come by then.
  const Responses& until(Cycles now) {
    release_until(now);
    return responses_;
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
