// The neighbour: a small system of the other world that works, listens, and does not behave.
//
// Each core fills its registers and looks whether they stay; its own timer interrupts it every 100
// us by the GIC's non-secure interface. What else it does it is told (shared.h).
#include "neighbour/processor.h"
#include "neighbour/shared.h"

using namespace hocket::neighbour;

namespace {

volatile Shared& shared = *reinterpret_cast<volatile Shared*>(kSharedAddress);

constexpr uint64_t kRedistributors = 0x080a'0000, kFramePair = 0x2'0000, kPrivate = 0x1'0000;
constexpr uint64_t kDistributor = 0x0800'0000;
constexpr unsigned kTimer = 27;  // the virtual timer's interrupt
constexpr uint64_t kTick = 100'000;

void next_tick() {
  uint64_t now;
  asm volatile("mrs %0, cntvct_el0" : "=r"(now));
  asm volatile("msr cntv_cval_el0, %0\n msr cntv_ctl_el0, %1" ::"r"(now + kTick), "r"(uint64_t{1}));
}

void prepare_interrupts(uint64_t core) {
  const uint64_t frame = kRedistributors + core * kFramePair;
  at(kDistributor) = 0x12;  // GICD_CTLR, non-secure view: affinity routing, Group 1
  at(frame + kPrivate + 0x180) = ~0u;
  at(frame + kPrivate + 0x380) = ~0u;
  at<uint8_t>(frame + kPrivate + 0x400 + kTimer) = 0xa0;
  at(frame + kPrivate + 0x100) = 1u << kTimer;
  asm volatile(
      "msr icc_sre_el1, %0\n isb\n msr icc_pmr_el1, %1\n msr icc_igrpen1_el1, %2\n isb" ::"r"(7ul),
      "r"(0xf0ul), "r"(1ul));
  next_tick();
  asm volatile("msr daifclr, #2");
}

uint64_t random_state = 88'172'645'463'325'252;
uint64_t random() {  // xorshift64
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return random_state;
}

/// All that it may throw away, of every core: translations, instructions, the first data cache.
void maintain() {
  asm volatile(
      "dsb ish\n tlbi vmalle1is\n tlbi vaae1is, xzr\n ic ialluis\n dc cisw, xzr\n dsb ish\n isb");
}

// --- Commands ---

extern "C" void neighbour_start();

void start_cores() {
  for (uint64_t core = 1; core < kMostCores; ++core) {
    shared.results[core] = static_cast<uint64_t>(
        smc(0xc400'0003, core, reinterpret_cast<uint64_t>(&neighbour_start), core));
  }
}

void read(uint64_t address) {
  uint32_t value;
  asm volatile("ldr %w0, [%1]" : "=r"(value) : "r"(address));
}

/// 1: refused by an exception.
template <class Access>
void attempt(Forbidden what, Access access) {
  const uint64_t before = shared.cores[0].faults;
  access();
  asm volatile("dsb sy\n isb");
  shared.results[static_cast<unsigned>(what)] = shared.cores[0].faults - before;
}

void trespass() {
  attempt(Forbidden::ReadSecureMemory, [] { read(0x0e00'0000); });
  attempt(Forbidden::WriteSecureMemory, [] { at(0x0e00'1000) = 0; });
  attempt(Forbidden::ReadFlash, [] { read(0); });
  attempt(Forbidden::ReadSecureUart, [] { read(0x0904'0000); });
  attempt(Forbidden::EnableGroup0, [] { asm volatile("msr icc_igrpen0_el1, xzr"); });
  attempt(Forbidden::SecureTimer, [] { asm volatile("msr cntps_cval_el1, xzr"); });
  // Not refused, but without effect: all of the controller that is ours.
  asm volatile("msr icc_sgi0r_el1, %0\n isb" ::"r"(0x800'0001ul));
  for (uint64_t core = 0; core < kMostCores; ++core) {
    const uint64_t frame = kRedistributors + core * kFramePair + kPrivate;
    if (core > 0 && at(kRedistributors + core * kFramePair + 0xffe8) == 0) break;  // GICR_PIDR2
    at(frame + 0x080) = ~0u;                                                       // groups
    at(frame + 0x180) = ~0u & ~(1u << kTimer);                                     // off
    at(frame + 0x280) = ~0u;                                                       // not pending
    for (unsigned id = 0; id < 32; id += 4) at(frame + 0x400 + id) = 0xffff'ffff;
    at<uint8_t>(frame + 0x400 + kTimer) = 0xa0;
  }
  for (unsigned word = 1; word < 9; ++word) {
    at(kDistributor + 0x080 + 4 * word) = ~0u;
    at(kDistributor + 0x180 + 4 * word) = ~0u;
  }
  at(kDistributor) = 0;
  at(kDistributor) = 0x12;
  asm volatile("msr icc_pmr_el1, %0\n isb" ::"r"(0ul));
  asm volatile("msr icc_pmr_el1, %0\n isb" ::"r"(0xf0ul));
}

void storm(uint64_t calls) {
  for (uint64_t i = 0; i < calls; ++i) {
    uint64_t function = random();
    switch (random() % 4) {
      case 0:
        function = 0x8400'0000 + random() % 32;
        break;
      case 1:
        function = 0xc400'0000 + random() % 32;
        break;
      case 2:
        function = 0x8000'0000 + random() % 4;
        break;
    }
    const auto low = static_cast<uint32_t>(function);
    if (low == 0x8400'0002 || low == 0x8400'0008 || low == 0x8400'0009) continue;  // its own end
    const uint64_t target = random() % 2 == 0 ? random() : 16 + random() % 1000;
    smc(function, target, random(), random());
    maintain();
  }
}

/// The other core's part: core 0 begins at the program's beginning.
void replace_core_0(uint64_t argument) {
  constexpr uint64_t kAffinityInfo = 0xc400'0004, kCpuOn = 0xc400'0003;
  while (smc(kAffinityInfo, 0, 0) != 1) asm volatile("yield");
  smc(kCpuOn, 0, kEntry, argument);
}

bool often;

volatile uint32_t seen[kMostCores];  // commands, by their numbers

void obey(uint64_t core) {
  const uint32_t number = shared.number;
  if (seen[core] == number) return;
  seen[core] = number;
  const auto command = static_cast<Command>(shared.command);
  if (command == Command::Leave && shared.arguments[0] == core) smc(shared.arguments[1]);
  if (command == Command::Replace && core == 0) smc(0x8400'0002);
  if (command == Command::Replace && core == shared.arguments[0]) {
    replace_core_0(shared.arguments[1]);
  }
  if (core != 0) return;
  switch (command) {
    case Command::StartCores:
      start_cores();
      break;
    case Command::Trespass:
      trespass();
      break;
    case Command::Ask:
      shared.results[0] = static_cast<uint64_t>(
          smc(shared.arguments[0], shared.arguments[1], shared.arguments[2], shared.arguments[3]));
      break;
    case Command::Storm:
      storm(shared.arguments[0]);
      break;
    case Command::CallOften:
      often = true;
      break;
    case Command::Quiet:
      often = false;
      break;
    default:
      break;
  }
  shared.done = number;
}

}  // namespace

extern "C" {

uint64_t neighbour_work(uint64_t seed, uint64_t turns);

void neighbour_interrupt() {
  uint64_t id;
  asm volatile("mrs %0, icc_iar1_el1" : "=r"(id));
  volatile Core& core = shared.cores[this_core()];
  if (id == kTimer) {
    next_tick();
    core.ticks = core.ticks + 1;
  } else {
    core.unexpected = core.unexpected + 1;
  }
  asm volatile("msr icc_eoir1_el1, %0" ::"r"(id));
}

/// The instruction is left out.
void neighbour_fault() {
  volatile Core& core = shared.cores[this_core()];
  core.faults = core.faults + 1;
  uint64_t instruction;
  asm volatile("mrs %0, elr_el1" : "=r"(instruction));
  asm volatile("msr elr_el1, %0" ::"r"(instruction + 4));
}

void neighbour_unexpected() {
  volatile Core& core = shared.cores[this_core()];
  core.unexpected = core.unexpected + 1;
  for (;;) asm volatile("wfi");
}

[[noreturn]] void neighbour_main(uint64_t core, uint64_t argument) {
  volatile Core& mine = shared.cores[core];
  if (core == 0) {
    shared.starts = shared.starts + 1;
    shared.given = argument;
  }
  if (core != 0 && argument != core) mine.wrong = mine.wrong + 1;
  seen[core] = shared.number;
  prepare_interrupts(core);
  for (uint64_t round = 1;; ++round) {
    if (often && core == 0) {
      for (unsigned i = 0; i < 20; ++i) smc(0x8400'0000);
    } else {
      mine.wrong = mine.wrong + neighbour_work(round * 0x1'0001 + core, 200);
    }
    mine.rounds = mine.rounds + 1;
    obey(core);
    asm volatile("yield");
  }
}

// The compiler may ask for these.
void* memset(void* to, int value, unsigned long size) {
  auto* next = static_cast<volatile unsigned char*>(to);
  while (size-- > 0) *next++ = static_cast<unsigned char>(value);
  return to;
}
}
