// QEMU's `virt`: starting cores, last words.
#include "boards/aarch64/kernel/machine.h"

#include "board.h"
#include "boards/aarch64/kernel/native.h"
#include "drivers/psci/psci.h"
#include "drivers/semihosting/semihosting.h"
#include "ports/aarch64/boot.h"

extern "C" bool hocket_semihosting_present();

namespace hocket::machine {

using Psci = drivers::Psci<drivers::HvcConduit>;

const char* map() {
  return nullptr;  // one range has it all
}

bool start_core(CoreId core) {
  const uint64_t entry = aarch64::physical(reinterpret_cast<const void*>(&hocket_start));
  return Psci::cpu_on(core, entry, core) == Psci::Result::Success;
}

void Board::halt(const char* reason) {
  hocket_halt(reason);
}

}  // namespace hocket::machine

extern "C" void hocket_halt(const char* reason) {
  if (hocket_semihosting_present()) {
    using hocket::drivers::Semihosting;
    Semihosting::print("hocket: ");
    Semihosting::print(reason);
    Semihosting::print("\n");
    Semihosting::exit(70);
  }
  hocket::native::last_words(reason);
  hocket::machine::Psci::system_off();
  for (;;) asm volatile("wfi");
}
