// The C++ library's interface to threads: there are threads (so it counts references atomically),
// and a mutex for its own use, which is one of the system's spinlocks.
#pragma once

#include "arduino/runtime/system.h"

#define __GTHREADS 1
#define __GTHREAD_MUTEX_INIT 0
#define __GTHREAD_RECURSIVE_MUTEX_INIT {0, 0, nullptr}

typedef uint32_t __gthread_mutex_t;
typedef uint32_t __gthread_once_t;

struct __lock;
extern "C" void __retarget_lock_acquire_recursive(__lock*);
extern "C" void __retarget_lock_release_recursive(__lock*);

/// Has the layout of `__lock` in memory.cpp, whose functions serve it.
struct __gthread_recursive_mutex_t {
  uint32_t word;
  uint32_t depth;
  void* owner;
};

inline int __gthread_active_p() {
  return 1;
}
inline int __gthread_mutex_lock(__gthread_mutex_t* mutex) {
  hocket::sys::spin_lock(mutex);
  return 0;
}
inline int __gthread_mutex_unlock(__gthread_mutex_t* mutex) {
  hocket::sys::spin_unlock(mutex);
  return 0;
}
inline int __gthread_recursive_mutex_lock(__gthread_recursive_mutex_t* mutex) {
  __retarget_lock_acquire_recursive(reinterpret_cast<__lock*>(mutex));
  return 0;
}
inline int __gthread_recursive_mutex_unlock(__gthread_recursive_mutex_t* mutex) {
  __retarget_lock_release_recursive(reinterpret_cast<__lock*>(mutex));
  return 0;
}
