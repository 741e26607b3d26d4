// Parking: how loops wait for each other, on every board that has the runtime.
#include "arduino/runtime/runtime.h"

namespace hocket::runtime {

bool park_until(uint64_t instant_ns) {
  if (instant_ns != UINT64_MAX) return System::suspend_self_until(Board::instant(instant_ns));
  System::suspend_self();
  return true;
}

bool unpark(unsigned id) {
  System::Thread* thread = thread_of(id);
  if (thread == nullptr) return false;
  System::resume(*thread);
  return true;
}

}  // namespace hocket::runtime
