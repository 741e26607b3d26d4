// Who acts on the machine from outside while it runs: people who watch and touch it, or a file of
// what they did.
#pragma once

#include "ports/host/lines.h"

namespace hocket::host {

class Outside {
 public:
  virtual ~Outside() = default;

  /// When to ask again: within the run of a core; before a core or a device goes on.
  struct Again {
    Nanos within = 0, between = 0;
  };

  /// No core has come as far as `soonest`, and nothing happens before `next`. It may wait here for
  /// as long as it likes, and bring devices to `next`.
  virtual Again look(Nanos soonest, Nanos next) = 0;
  /// The earliest instant at which it acts; kNever.
  virtual Nanos next_touch() const = 0;
  /// All that it does up to and including `now`.
  virtual void touch(Nanos now) = 0;
};

}  // namespace hocket::host
