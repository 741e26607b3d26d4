// QEMU's `virt`: starting cores, switching off.
#include "arduino/cores/protected/kernel/machine.h"

#include "drivers/psci/psci.h"
#include "ports/aarch64/boot.h"

namespace hocket::machine {

using Psci = drivers::Psci<drivers::HvcConduit>;

const char* map() {
  return nullptr;  // the main device range contains all devices
}

bool start_core(CoreId core) {
  const uint64_t entry = aarch64::physical(reinterpret_cast<const void*>(&hocket_start));
  return Psci::cpu_on(core, entry, core) == Psci::Result::Success;
}

void power_off() {
  Psci::system_off();
}

}  // namespace hocket::machine
