// Actions on the machine from outside while it runs: by people who watch and touch it, or from a
// file that recorded them.
#pragma once

#include "ports/host/lines.h"

namespace hocket::host {

class Outside {
 public:
  virtual ~Outside() = default;

  /// When to poll again: while a core runs; before a core or a device continues.
  struct Again {
    Nanos within = 0, between = 0;
  };

  /// No core has reached `soonest`, and nothing happens before `next`. The call may wait for any
  /// time, and may advance devices to `next`.
  virtual Again look(Nanos soonest, Nanos next) = 0;
  /// The earliest instant of an action; kNever: none.
  virtual Nanos next_touch() const = 0;
  /// Does all actions up to and including `now`.
  virtual void touch(Nanos now) = 0;
};

}  // namespace hocket::host
