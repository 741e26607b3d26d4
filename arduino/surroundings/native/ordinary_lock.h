// Protects data that a driver's ordinary handler shares with its callers on all cores. While an
// object lives, the ordinary level is masked on this core and other cores are kept out.
//
// Such a section delays a switch of threads on its core (port.h), so it must be short. It may wait
// for one section of each other core, in order. A declared worst case must therefore count as many
// of the longest section as there are cores.
#pragma once

namespace hocket::native {

template <class Port>
class OrdinaryLock {
 public:
  explicit OrdinaryLock(typename Port::Lock& lock) : lock_(lock), state_(Port::ordinary_save()) {
    Port::lock(lock_);
  }
  ~OrdinaryLock() {
    Port::unlock(lock_);
    Port::ordinary_restore(state_);
  }
  OrdinaryLock(const OrdinaryLock&) = delete;
  OrdinaryLock& operator=(const OrdinaryLock&) = delete;

 private:
  typename Port::Lock& lock_;
  typename Port::IrqState state_;
};

}  // namespace hocket::native
