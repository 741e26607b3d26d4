// Starting the other cores of QEMU's `virt` (see cores.h).
#include "cores.h"

#include "drivers/psci/psci.h"
#include "ports/aarch64/boot.h"

namespace hocket::contract {

bool start_core(CoreId core) {
  using Psci = drivers::Psci<drivers::HvcConduit>;
  const uint64_t entry = aarch64::physical(reinterpret_cast<const void*>(&hocket_start));
  return Psci::cpu_on(core, entry, core) == Psci::Result::Success;
}

}  // namespace hocket::contract
