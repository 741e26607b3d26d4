// The kernel's configuration on the board `sim`: the sizes.
#pragma once

#include "arduino/runtime/policy_choice.h"
#include "board.h"
#include "kernel/task/kernel.h"

namespace hocket {

namespace runtime::interrupts {
/// Whether a direct handler runs on this core, and since when. In an interrupt.
bool direct_began(BasicInstant<Board::Port::Ticks>& when);
}  // namespace runtime::interrupts

struct SystemConfig {
  static constexpr unsigned kMaxSlots = Board::kMaxLoops + 2;  // spinlocks, the loops, setup()
  static constexpr unsigned kRefills = 16;
  static constexpr unsigned kMaxAlarms = 16;
  static constexpr KernelOptions kOptions{.counts_handlers = true};
  using Trace = EventLog;
  static bool handler_began(BasicInstant<Board::Port::Ticks>& when) {
    return runtime::interrupts::direct_began(when);
  }
  // For tests: hocket_sim_system_uncharged has a kernel that charges its work to no budget.
#ifdef HOCKET_UNCHARGED
  using Charges = NoCharges<Board::Port::Ticks>;
#else
  using Charges = PortCharges<Board::Port>;
#endif
  template <class Observer>
  using Policy =
      runtime::ChosenPolicy::WithIo<Board::Port::Ticks, kMaxSlots, kRefills, Observer, Charges>;
};

using System = Kernel<Board::Port, SystemConfig>;

}  // namespace hocket
