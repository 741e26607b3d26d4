// Starting the other cores of QEMU's `virt` (see cores.h).
#include "cores.h"

#include "arduino/cores/protected/kernel/machine.h"

namespace hocket::contract {

bool start_core(CoreId core) {
  return machine::start_core(core);
}

}  // namespace hocket::contract
