// Raspberry Pi 3: starting cores.
#include "arduino/cores/protected/kernel/machine.h"

#include "board.h"
#include "drivers/spin_table/spin_table.h"
#include "ports/aarch64/boot.h"
#include "ports/aarch64/memory_map.h"

namespace hocket::machine {

/// The firmware's waiting loop polls a word for each core (armstub8; the device tree's
/// cpu-release-addr). The words are mapped as device memory, because the waiting cores have no
/// caches yet.
using SpinTable = drivers::SpinTable<device(0xd8)>;

const char* map() {
  if (const char* error = memory::map_devices(Board::kLocalBegin, Board::kLocalEnd)) return error;
  return memory::map_devices(Board::kSpinTableBegin, Board::kSpinTableEnd);
}

bool start_core(CoreId core) {
  return SpinTable::start(core, aarch64::physical(reinterpret_cast<const void*>(&hocket_start)));
}

void power_off() {}  // the board cannot switch itself off

}  // namespace hocket::machine
