// The other system beside a kernel at EL3, in an emulator (see other_system.h).
#include "arduino/cores/aarch64/kernel/beside/programs.h"
#include "arduino/cores/protected/kernel/domain.h"
#include "arduino/cores/protected/kernel/neighbour.h"
#include "arduino/runtime/sketches.h"
#include "arduino/surroundings/peer/other_system.h"
#include "board_kernel.h"
#include "ports/aarch64/el3/normal_world.h"

namespace hocket::other_system {
namespace {

using Port = Board::Port;
namespace normal_world = aarch64::normal_world;
using MachineBoard = machine::Board;

static_assert(MachineBoard::kFifoWindowSize == HOCKET_FIFO_WINDOW);

[[gnu::section(".kept_zero")]] bool begun;

/// A restart of the sketch would lose the other system's state, which its idle threads hold.
[[gnu::cold]] bool may_begin_anew() {
  const runtime::Sketches& all = runtime::sketches();
  for (unsigned i = 0; i < all.loop_count(); ++i) {
    const auto& program = static_cast<const Domain&>(all.loop(i).sketch->program());
    if (program.header().fault_policy == sketch::FaultPolicy::RestartSketch) return true;
  }
  return false;
}

/// Raises the other system's interrupt for FIFOs: an edge.
void tell_of_fifos() {
  Port::Controller::set_pending(MachineBoard::kFifoInterrupt);
}

}  // namespace

[[gnu::cold]] const char* begin() {
  if (begun) return nullptr;
  if (!programs::find()) {
    return "this image is for a run with another system beside it, and none is named";
  }
  if (may_begin_anew()) {
    return "a sketch that begins anew after a fault (RestartSketch) cannot run beside another "
           "system: "
           "use StopSketch, or stop the loop alone";
  }
  begun = true;
  neighbour::open_fifos(reinterpret_cast<void*>(machine::device(MachineBoard::kFifoWindow)),
                        &tell_of_fifos);
  // Its FIFOs restart too, because the programs that used them are gone.
  normal_world::begin(programs::start(Port::core_count(), &neighbour::linux_begins));
  return nullptr;
}

bool tell(world::BesideFacts& facts, unsigned cores) {
  using State = normal_world::State;
  const State state = normal_world::state();
  if (state == State::Absent) return false;
  facts = {};
  facts.state = static_cast<uint32_t>(state);
  facts.restarts = normal_world::restarts();
  facts.cores_on = normal_world::cores_on();
  for (unsigned i = 0; i < cores && i < world::kMostBesideCores; ++i) {
    // All of the idle thread's time, except when the core slept because the other system was idle.
    const auto idle = System::idle(static_cast<CoreId>(i)).meter.total().ticks();
    const auto slept = normal_world::slept(i);
    facts.time[i] = idle > slept ? Board::nanoseconds(idle - slept) : 0;
  }
  return true;
}

static_assert(static_cast<uint32_t>(normal_world::State::Running) ==
              static_cast<uint32_t>(world::BesideState::Running));
static_assert(static_cast<uint32_t>(normal_world::State::Restarting) ==
              static_cast<uint32_t>(world::BesideState::Restarting));

}  // namespace hocket::other_system
