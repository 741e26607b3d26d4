// How serial calls wait, on any board.
//
// A port says how many bytes it takes now and when to try again; the calling loop sleeps until
// then. Context: any loop, and setup(). `Ports` is the board's part:
//   usable(port), begun(port)                whether the port exists; whether it was begun
//   write_some(port, data, size)             takes what fits; returns the number of bytes
//   room_at(port, bytes), data_at(port)      the instant (ns) to try again; UINT64_MAX: never
//   available(port), now_ns()
//   Holding                                  exists while others must wait for the calling loop
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
      // Wait for room for up to 32 bytes: a wake-up for every byte would cost more than it gains.
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
      // A part may answer to what another loop sends meanwhile, so look again every millisecond.
      constexpr uint64_t kLookAgain = 1'000'000;
      const uint64_t next = smaller(Ports::data_at(port), now + kLookAgain);
      sleep_until(smaller(instant_ns, next));
    }
    return false;
  }

 private:
  // FIFO order. Sorting by priority would, with hundreds of loops at one port, mask interrupts for
  // longer than the board declares. (This is the kernel's own semaphore: loops of any sketch wait.)
  using Lock = Semaphore<System, Board::Port>;
  static void sleep_until(uint64_t ns) { System::sleep_until(Board::instant(ns)); }

  struct PortLock : Lock {
    constexpr PortLock() : Lock(1) {}
  };
  static inline PortLock lock_[kMostPorts];
};

}  // namespace hocket::runtime
