// Raspberry Pi 3: starting cores, last words.
#include "boards/aarch64/kernel/machine.h"

#include "board.h"
#include "boards/aarch64/kernel/memory_map.h"
#include "boards/aarch64/kernel/native.h"
#include "drivers/semihosting/semihosting.h"
#include "drivers/spin_table/spin_table.h"
#include "ports/aarch64/boot.h"

extern "C" bool hocket_semihosting_present();

namespace hocket::machine {

/// The firmware's waiting loop reads a word for each core (armstub8; the device tree's
/// cpu-release-addr). Mapped as device memory: the cores that wait have no caches yet.
using SpinTable = drivers::SpinTable<device(0xd8)>;

const char* map() {
  if (const char* error = memory::map_devices(Board::kLocalBegin, Board::kLocalEnd)) return error;
  return memory::map_devices(Board::kSpinTableBegin, Board::kSpinTableEnd);
}

bool start_core(CoreId core) {
  return SpinTable::start(core, aarch64::physical(reinterpret_cast<const void*>(&hocket_start)));
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
  for (;;) asm volatile("wfi");
}
