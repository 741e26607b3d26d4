// The memory that loops would share with Linux, on a simulated board: parts play Linux's programs.
//
// The protocol is the real one (hybrid/protocol/fifo.h): this is its window, and who is to be told
// when the loops have moved something. There is none where no part asks for it: no Linux beside.
#pragma once

#include <vector>

#include "hybrid/protocol/fifo.h"
#include "simulation/devices/event_queue.h"

namespace hocket::sim {

/// A part that plays a program of Linux.
class FifoUser {
 public:
  virtual ~FifoUser() = default;
  /// The loops have put or got, and some program wanted to know.
  virtual void told(Nanos now) = 0;
};

class FifoWindow {
 public:
  /// The window, or null: nobody uses FIFOs here.
  void* memory() { return users_.empty() ? nullptr : bytes_; }

  /// Before the board runs. False: another part has this FIFO's end.
  bool claim(unsigned fifo, FifoUser& user) {
    if (users_.empty()) hocket_fifo_format(bytes_);
    if (claimed_[fifo % HOCKET_FIFO_COUNT]) return false;
    claimed_[fifo % HOCKET_FIFO_COUNT] = true;
    users_.push_back(&user);
    return true;
  }
  /// The interrupt of the loops' side.
  void tell(Nanos now) {
    for (FifoUser* user : users_) user->told(now);
  }

 private:
  alignas(64) unsigned char bytes_[HOCKET_FIFO_WINDOW];
  bool claimed_[HOCKET_FIFO_COUNT] = {};
  std::vector<FifoUser*> users_;
};

}  // namespace hocket::sim
