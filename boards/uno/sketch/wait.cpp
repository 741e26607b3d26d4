// Waiting where there is no kernel; kernel.cpp has the other one.
#include "arduino/runtime/system.h"
#include "boards/uno/sketch/core.h"

namespace hocket::uno {

__attribute__((weak)) void wait_until(uint32_t instant) {
  while (static_cast<int32_t>(Clock::now() - instant) < 0) {
  }
}

}  // namespace hocket::uno

namespace hocket::sys {
__attribute__((weak)) void yield() {}
}  // namespace hocket::sys
