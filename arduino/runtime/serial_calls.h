// The waiting that serial calls do, on any board.
//
// A port answers how much it takes now and when it is worth asking again; the calling loop sleeps
// until then. `Ports` is the board's side of it:
//   usable(port), begun(port)                whether there is such a port; whether it was begun
//   write_some(port, data, size)             takes what fits
//   room_at(port, bytes), data_at(port)      instants (ns) at which to ask again, UINT64_MAX: never
//   available(port), now_ns()
//   Holding                                  lives while others must wait for the calling loop
#pragma once

#include "arduino/runtime/system.h"
#include "board_kernel.h"
#include "kernel/task/semaphore.h"

namespace hocket::runtime {

template <class Ports>
class SerialCalls {
 public:
  static constexpr unsigned kMostPorts = 4 + sys::kSerialLines;

  static size_t write(unsigned port, const uint8_t* data, size_t size) {
    const typename Ports::Holding until_the_lock_is_given_back;
    lock_[port].wait();
    size_t taken = Ports::write_some(port, data, size);
    while (taken < size && Ports::begun(port)) {
      // Wait for a good part of the buffer: a wake-up for every byte would cost more than it
      // brings.
      const size_t wanted = smaller<size_t>(size - taken, 32);
      sleep_until(Ports::room_at(port, wanted));
      taken += Ports::write_some(port, data + taken, size - taken);
    }
    lock_[port].signal();
    return taken;
  }

  static void flush(unsigned port) {
    constexpr size_t kWholeBuffer = 64;
    while (Ports::usable(port) && Ports::begun(port)) {
      const uint64_t empty_at = Ports::room_at(port, kWholeBuffer);
      if (empty_at <= Ports::now_ns()) return;
      sleep_until(empty_at);
    }
  }

  static bool wait(unsigned port, uint64_t instant_ns) {
    while (Ports::usable(port)) {
      const uint64_t now = Ports::now_ns();
      if (Ports::available(port) > 0) return true;
      if (now >= instant_ns) return false;
      // Another loop may send meanwhile what a part answers, so look again now and then.
      constexpr uint64_t kLookAgain = 1'000'000;
      const uint64_t next = smaller(Ports::data_at(port), now + kLookAgain);
      sleep_until(smaller(instant_ns, next));
    }
    return false;
  }

 private:
  // First come, first served: with hundreds of loops at one port, sorting them in would mask
  // interrupts for longer than the board declares. (The kernel's own: loops of any sketch wait.)
  using Lock = Semaphore<System, Board::Port>;
  static void sleep_until(uint64_t ns) { System::sleep_until(Board::instant(ns)); }

  struct PortLock : Lock {
    constexpr PortLock() : Lock(1) {}
  };
  static inline PortLock lock_[kMostPorts];
};

}  // namespace hocket::runtime
