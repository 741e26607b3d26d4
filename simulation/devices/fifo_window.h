// The memory that loops share with Linux, on a simulated board: parts play the Linux programs.
//
// The protocol is the real one (hybrid/protocol/fifo.h). This class owns its window, and notifies
// parts when the loops have moved records. Without such a part there is no window: no Linux beside.
#pragma once

#include <vector>

#include "hybrid/protocol/fifo.h"
#include "simulation/devices/event_queue.h"

namespace hocket::sim {

/// A part that plays a Linux program.
class FifoUser {
 public:
  virtual ~FifoUser() = default;
  /// The loops have put or got a record, and some program wanted to be told.
  virtual void told(Nanos now) = 0;
};

class FifoWindow {
 public:
  /// The window; null if no part uses FIFOs.
  void* memory() { return users_.empty() ? nullptr : bytes_; }

  /// Before the board runs. Returns false if another part has this end of the FIFO.
  bool claim(unsigned fifo, FifoUser& user) {
    if (users_.empty()) hocket_fifo_format(bytes_);
    if (claimed_[fifo % HOCKET_FIFO_COUNT]) return false;
    claimed_[fifo % HOCKET_FIFO_COUNT] = true;
    users_.push_back(&user);
    return true;
  }
  /// The interrupt raised by the loops' side.
  void tell(Nanos now) {
    for (FifoUser* user : users_) user->told(now);
  }

 private:
  alignas(64) unsigned char bytes_[HOCKET_FIFO_WINDOW];
  bool claimed_[HOCKET_FIFO_COUNT] = {};
  std::vector<FifoUser*> users_;
};

}  // namespace hocket::sim
