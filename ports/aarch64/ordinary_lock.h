// What a driver's ordinary handler shares with its callers on all cores: for as long as one of
// these lives, the ordinary level is masked and others are kept out.
//
// Such a section delays a switch of threads on its core (port.h), so it must be short. It may wait
// for one section of each other core, in line: whoever declares the length of the longest section
// counts as many of them as there are cores.
#pragma once

namespace hocket::aarch64 {

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

}  // namespace hocket::aarch64
