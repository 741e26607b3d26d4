// What a kernel at EL3 promises with another world beside it: that one runs while a core is idle
// and keeps its registers, reaches nothing of ours, and ends no thread of ours whatever it asks.
#include "neighbour/tests.h"

#include "neighbour/kernel_side.h"
#include "ports/aarch64/el3/normal_world.h"

namespace hocket::contract {
namespace {

using neighbour::Command;
using neighbour::Forbidden;
namespace normal_world = aarch64::normal_world;

constexpr uint64_t kSystemOff = 0x8400'0008, kSystemReset = 0x8400'0009, kCpuOff = 0x8400'0002;
constexpr uint64_t kCpuOn = 0xc400'0003, kAffinityInfo = 0xc400'0004, kVersion = 0x8400'0000;

int64_t asked(uint64_t function, uint64_t a = 0, uint64_t b = 0, uint64_t c = 0) {
  HOCKET_EXPECT(command_neighbour(Command::Ask, function, a, b, c));
  return static_cast<int64_t>(shared().results[0]);
}

/// Each of its cores goes on within a while.
bool all_cores_work(unsigned cores) {
  uint64_t before[neighbour::kMostCores];
  for (unsigned i = 0; i < cores; ++i) before[i] = shared().cores[i].rounds;
  K::sleep_until(K::now() + us(2'000));
  for (unsigned i = 0; i < cores; ++i) {
    if (shared().cores[i].rounds <= before[i]) return false;
  }
  return true;
}

void it_runs_while_cores_are_idle() {
  HOCKET_EXPECT(normal_world::state() == normal_world::State::Running);
  HOCKET_EXPECT(all_cores_work(1));
  HOCKET_EXPECT(command_neighbour(Command::StartCores));
  HOCKET_EXPECT(all_cores_work(Port::core_count()));
  HOCKET_EXPECT(normal_world::cores_on() == Port::core_count());
  for (unsigned i = 0; i < Port::core_count(); ++i) HOCKET_EXPECT(shared().cores[i].ticks > 2);
  HOCKET_EXPECT(wrongs_of_neighbour() == 0);
}

// Threads that take the registers of EL1 and of floating point away from it, on every core.

volatile bool going_on;

void compute_and_sleep(void*) {
  while (going_on) {
    spin_for(us(30));
    K::sleep_until(K::now() + us(170));
  }
  finished.signal();
}

void it_keeps_its_registers() {
  const uint64_t rounds = shared().cores[0].rounds;
  going_on = true;
  for (unsigned i = 0; i < Port::core_count() && i < Board::kMostThreads; ++i) {
    K::Vcpu& vcpu = bench.vcpu(50, 200, static_cast<CoreId>(i));
    K::start(bench.thread(vcpu, &compute_and_sleep), K::now() + us(20));
  }
  K::sleep_until(K::now() + us(10'000));
  going_on = false;
  for (unsigned i = 0; i < Port::core_count() && i < Board::kMostThreads; ++i) finished.wait();
  HOCKET_EXPECT(shared().cores[0].rounds > rounds);
  HOCKET_EXPECT(wrongs_of_neighbour() == 0);
}

void it_reaches_nothing_of_ours() {
  HOCKET_EXPECT(command_neighbour(Command::Trespass));
  for (unsigned i = 0; i < static_cast<unsigned>(Forbidden::count); ++i) {
    HOCKET_EXPECT(shared().results[i] == 1);
  }
  // Alarms and other cores' interrupts still come.
  const Instant due = K::now() + us(300);
  K::sleep_until(due);
  HOCKET_EXPECT_IN_TIME(K::now() - due < us(20));
  HOCKET_EXPECT(all_cores_work(Port::core_count()));
  HOCKET_EXPECT(wrongs_of_neighbour() == 0);
}

void it_may_ask_anything() {
  HOCKET_EXPECT(asked(kVersion) == 0x1'0001);
  HOCKET_EXPECT(asked(0x8400'000a, kCpuOn) == 0);
  HOCKET_EXPECT(asked(0x8400'000a, 0x8400'0001) == -1);
  HOCKET_EXPECT(asked(kCpuOn, 0, neighbour::kEntry) == -4);
  HOCKET_EXPECT(asked(kCpuOn, 100, neighbour::kEntry) == -2);
  HOCKET_EXPECT(asked(kCpuOn, uint64_t{1} << 32, neighbour::kEntry) == -2);
  HOCKET_EXPECT(asked(kCpuOn, 0, 0x0e00'0000) == -9);
  HOCKET_EXPECT(asked(kAffinityInfo, 0, 0) == 0);
  HOCKET_EXPECT(asked(kAffinityInfo, 0, 1) == -2);
  HOCKET_EXPECT(asked(kAffinityInfo, UINT64_MAX, 0) == -2);
  HOCKET_EXPECT(command_neighbour(Command::Storm, 3'000));
  HOCKET_EXPECT(all_cores_work(Port::core_count()));
  HOCKET_EXPECT(wrongs_of_neighbour() == 0);
}

void its_end_is_not_ours() {
  const unsigned last = Port::core_count() - 1;
  if (last > 0) {  // a core of it goes and comes again
    tell_neighbour(Command::Leave, last, kCpuOff);
    K::sleep_until(K::now() + us(2'000));
    HOCKET_EXPECT(asked(kAffinityInfo, last) == 1);
    HOCKET_EXPECT(asked(kCpuOn, last, neighbour::kEntry, last) == 0);
    HOCKET_EXPECT(all_cores_work(last + 1));
  }
  // Its first core, too, which another one of it sends elsewhere: a reset is not concerned.
  const uint64_t given = shared().given;
  if (last > 0) {
    tell_neighbour(Command::Replace, last, given + 1);
    K::sleep_until(K::now() + us(4'000));
    HOCKET_EXPECT(shared().given == given + 1 && shared().starts == 2);
    HOCKET_EXPECT(all_cores_work(last + 1));
  }
  const uint32_t starts = shared().starts;
  tell_neighbour(Command::Leave, last, kSystemReset);
  K::sleep_until(K::now() + us(4'000));
  HOCKET_EXPECT(normal_world::restarts() == 1 && shared().starts == starts + 1);
  HOCKET_EXPECT(shared().given == given);
  HOCKET_EXPECT(normal_world::cores_on() == 1);
  HOCKET_EXPECT(all_cores_work(1));
  HOCKET_EXPECT(command_neighbour(Command::StartCores));
  HOCKET_EXPECT(all_cores_work(last + 1));
  tell_neighbour(Command::Leave, last, kSystemOff);
  K::sleep_until(K::now() + us(2'000));
  HOCKET_EXPECT(normal_world::state() == normal_world::State::Off);
  HOCKET_EXPECT(normal_world::cores_on() == 0);
  HOCKET_EXPECT(!all_cores_work(1));
  HOCKET_EXPECT(wrongs_of_neighbour() == 0);
}

}  // namespace

void run_neighbour_tests() {
  if (!neighbour_is_there()) return;
  with_bench("it_runs_while_cores_are_idle", &it_runs_while_cores_are_idle);
  with_bench("it_keeps_its_registers", &it_keeps_its_registers);
  with_bench("it_reaches_nothing_of_ours", &it_reaches_nothing_of_ours);
  with_bench("it_may_ask_anything", &it_may_ask_anything);
  with_bench("its_end_is_not_ours", &its_end_is_not_ours);
}

}  // namespace hocket::contract
