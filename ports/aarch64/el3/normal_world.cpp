// The other world's cores (see normal_world.h): when they run, and how their calls are answered.
#include "ports/aarch64/el3/normal_world.h"

#include "kernel/base/atomic.h"
#include "ports/aarch64/el3/psci_calls.h"
#include "ports/aarch64/el3/worlds.h"
#include "ports/aarch64/port.h"

extern "C" {
// worlds.S
void hocket_run_normal(void** stack, uint64_t entry, uint64_t argument);
[[noreturn]] void hocket_leave_normal(void* stack);
// vectors.S
void hocket_enter_normal_world();
void hocket_normal_trap(hocket::aarch64::NormalFrame* frame, uint64_t syndrome);
}

// The return to the other world tests this (vectors.S).
extern "C" [[gnu::section(".kept_zero")]] hocket::Atomic<hocket::aarch64::normal_world::State>
    hocket_normal_world_state;
hocket::Atomic<hocket::aarch64::normal_world::State> hocket_normal_world_state;
static_assert(static_cast<unsigned>(hocket::aarch64::normal_world::State::Running) ==
              HOCKET_NORMAL_WORLD_RUNS);

namespace hocket::aarch64 {
namespace {

using normal_world::Start;
using normal_world::State;

constexpr unsigned kMostCores = 8;
constexpr uint64_t kSctlrAtReset = 0x30d0'0800;  // SCTLR_EL1: the bits that are one (D17.2.118)

/// State of one core of the other world. Another core changes it from Off to Claimed to Pending;
/// the core itself makes all other changes.
enum class Power : uint32_t { Off, Claimed, Pending, On };

struct Core {
  Atomic<Power> power;
  uint64_t entry;
  uint64_t argument;
  int64_t slept;  // ticks
  void* stack;    // where hocket_wait() continues when this core stops
  worlds::Registers registers;
};

// These survive a restart of the sketch.
[[gnu::section(".kept_zero")]] Core cores[kMostCores];
[[gnu::section(".kept_zero")]] Start the_start;
[[gnu::section(".kept_zero")]] Atomic<uint32_t> started_again;

unsigned this_core() {
  return static_cast<unsigned>(core_local().core);
}

/// Ends what the core was handling for the other world, which will not end it any more. While a
/// priority is active, no interrupts of that level arrive (IHI 0069, 4.8.3). ICC_RPR_EL1 is 0xff
/// when none is active. Also disables its timers.
void forget_interrupts() {
  constexpr unsigned kMostActive = 32;  // one for each priority that the other world can have
  for (unsigned i = 0; i < kMostActive; ++i) {
    uint64_t running;
    asm volatile("mrs %0, icc_rpr_el1" : "=r"(running));
    if (running < HOCKET_PMR_SECURE || running >= 0xff) break;
    asm volatile("msr icc_eoir1_el1, %0\n isb" ::"r"(uint64_t{0}));
  }
  asm volatile("msr cntv_ctl_el0, xzr\n msr cntp_ctl_el0, xzr\n isb");
}

void tell_restart() {
  if (hocket_normal_world_state.load(order::acquire) == State::Restarting) hocket_tell_core(0);
}

/// Ends the calling core's part of the other world. The core's idle thread continues in
/// hocket_wait().
[[noreturn]] void stop_here() {
  Core& core = cores[this_core()];
  worlds::take_from_normal(core.registers);
  forget_interrupts();
  core.power.store(Power::Off, order::release);
  tell_restart();
  hocket_leave_normal(core.stack);
}

bool others_are_off() {
  for (unsigned i = 0; i < the_start.cores; ++i) {
    if (cores[i].power.load(order::acquire) != Power::Off) return false;
  }
  return true;
}

/// Stops all cores of the other world. Each one stops itself when it is notified.
void stop_all(State then) {
  hocket_normal_world_state.store(then, order::release);
  for (unsigned i = 0; i < the_start.cores; ++i) {
    if (i != this_core()) hocket_tell_core(i);
  }
}

/// Restores the entry point, because the other world may have sent this core elsewhere meanwhile.
void begin_core_0() {
  cores[0].entry = the_start.entry;
  cores[0].argument = the_start.argument;
  hocket_normal_world_state.store(State::Running, order::release);
  cores[0].power.store(Power::Pending, order::release);
}

/// Call on core 0, which must be off.
void start_again() {
  if (!others_are_off()) return;
  if (!the_start.restore()) {
    hocket_normal_world_state.store(State::Off, order::release);
    return;
  }
  started_again.fetch_add(1, order::relaxed);
  begin_core_0();
}

/// For a core that was to be started while the whole other world stopped.
void stay_off(Core& core) {
  if (core.power.exchange(Power::Off, order::acquire_release) != Power::Off) tell_restart();
  if (hocket_normal_world_state.load(order::acquire) == State::Restarting && this_core() == 0)
    start_again();
}

void run(Core& core) {
  core.power.store(Power::On, order::release);
  core.registers = {};
  core.registers.sctlr = kSctlrAtReset;
  worlds::give_to_normal(core.registers);
  hocket_run_normal(&core.stack, core.entry, core.argument);
}

/// Passes an instruction that the other world may not use to its EL1, as if it did not exist (DDI
/// 0487, D1.3.1: vectors; ESR_EL1 with class 0 and IL).
void refuse_instruction(NormalFrame& frame) {
  constexpr uint64_t kMode = 0xf, kEl1h = 5, kAArch32 = 1 << 4, kMasked = 0x3c0;
  const uint64_t mode = frame.state & (kMode | kAArch32);
  uint64_t offset = 0x200;  // from EL1 with its own stack
  if ((mode & kAArch32) != 0) {
    offset = 0x600;
  } else if (mode == 0) {
    offset = 0x400;
  } else if (mode != kEl1h) {
    offset = 0;
  }
  uint64_t vectors;
  asm volatile("msr elr_el1, %1\n msr spsr_el1, %2\n msr esr_el1, %3\n mrs %0, vbar_el1\n isb"
               : "=r"(vectors)
               : "r"(frame.instruction), "r"(frame.state), "r"(uint64_t{1} << 25));
  frame.instruction = vectors + offset;
  frame.state = kMasked | kEl1h;
}

}  // namespace

worlds::Registers& worlds::kept() {
  return cores[this_core()].registers;
}

// --- The functions of psci_calls.h ---

bool psci::knows(uint64_t affinity) {
  return affinity < the_start.cores;
}

int64_t psci::cpu_on(uint64_t affinity, uint64_t entry, uint64_t argument) {
  if (!knows(affinity)) return kInvalidParameters;
  if (entry < the_start.memory_begin || entry >= the_start.memory_end || entry % 4 != 0) {
    return kInvalidAddress;
  }
  Core& core = cores[affinity];
  Power power = Power::Off;
  if (!core.power.compare_exchange(power, Power::Claimed, order::acquire_release, order::acquire)) {
    return power == Power::On ? kAlreadyOn : kOnPending;
  }
  core.entry = entry;
  core.argument = argument;
  core.power.store(Power::Pending, order::release);
  hocket_tell_core(static_cast<unsigned>(affinity));
  return kSuccess;
}

int64_t psci::affinity_info(uint64_t affinity, uint64_t level) {
  if (!knows(affinity) || level != 0) return kInvalidParameters;
  switch (cores[affinity].power.load(order::acquire)) {
    case Power::On:
      return kIsOn;
    case Power::Off:
      return kIsOff;
    default:
      return kIsPending;
  }
}

void psci::cpu_off() {
  Level::mask();
  stop_here();
}

void psci::system_ends(bool begins_again) {
  Level::mask();
  stop_all(begins_again ? State::Restarting : State::Off);
  stop_here();
}

// --- The functions of normal_world.h ---

void normal_world::begin(const Start& start) {
  the_start = start;
  begin_core_0();
}

State normal_world::state() {
  return hocket_normal_world_state.load(order::acquire);
}
unsigned normal_world::restarts() {
  return started_again.load(order::relaxed);
}
int64_t normal_world::slept(unsigned core) {
  return cores[core].slept;
}
unsigned normal_world::cores_on() {
  unsigned on = 0;
  for (const Core& core : cores) on += core.power.load(order::relaxed) == Power::On ? 1 : 0;
  return on;
}

}  // namespace hocket::aarch64

using namespace hocket;
using namespace hocket::aarch64;

extern "C" {

void hocket_wait() {
  Core& core = cores[this_core()];
  if (hocket_normal_world_state.load(order::acquire) != State::Running) stay_off(core);
  if (core.power.load(order::acquire) == Power::Pending) {
    run(core);
  } else {
    const auto since = Level::count();
    asm volatile("dsb sy\n wfi" ::: "memory");
    core.slept += static_cast<int64_t>(Level::count() - since);
  }
  asm volatile("msr daifclr, #3\n isb" ::: "memory");
}

void hocket_enter_normal_world() {
  if (hocket_normal_world_state.load(order::acquire) != State::Running) stop_here();
  worlds::give_to_normal(cores[this_core()].registers);
}

void hocket_normal_trap(NormalFrame* frame, uint64_t syndrome) {
  constexpr uint64_t kSmc64 = 0x17;
  if (syndrome >> 26 == kSmc64) {
    frame->x[0] = static_cast<uint64_t>(psci::answer(*frame));
    return;
  }
  Level::mask();  // EL1's registers are the other world's until here, and afterwards
  if (!worlds::normal_is_here()) worlds::give_to_normal(cores[this_core()].registers);
  refuse_instruction(*frame);
}
}
