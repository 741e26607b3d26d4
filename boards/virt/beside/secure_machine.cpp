// QEMU's `virt` with a secure state: releasing cores, switching off.
#include "arduino/cores/protected/kernel/machine.h"
#include "board.h"
#include "drivers/mmio.h"
#include "ports/aarch64/boot.h"
#include "ports/aarch64/memory_map.h"

namespace hocket::machine {
namespace {

/// The secure PL061 (DDI 0190, 3.3). Its output 0 switches the machine off.
template <uintptr_t kOffset>
using Power = drivers::Register<drivers::MemoryBus, uint32_t, device(Board::kPower) + kOffset>;

}  // namespace

const char* map() {
  return memory::map_beside(Board::kNormalBegin, Board::kNormalEnd);
}

bool start_core(CoreId core) {
  if (core >= Board::Controller::cores_there()) return false;
  hocket_release_core(core);
  return true;
}

void power_off() {
  constexpr uint32_t kOff = 1 << 0;
  Power<0x400>::set_bits(kOff);   // GPIODIR: an output
  Power<kOff << 2>::write(kOff);  // GPIODATA, of that bit alone
}

}  // namespace hocket::machine
