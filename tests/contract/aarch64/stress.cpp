// Stress of the kernel on several cores: wake-ups, semaphores, locks, channels and buffers that
// threads on different cores share, with alarms in between. Checks are of counts and contents,
// never of time.
//
// One thread of each role on every core; each has a number of rounds, so that the image ends by
// itself.
#include "bare_image.h"
#include "cores.h"
#include "kernel/base/construct.h"
#include "kernel/task/four_slot.h"
#include "kernel/task/ring_buffer.h"
#include "kernel/task/semaphore.h"
#include "suite.h"

namespace hocket::contract {
namespace {

using K = Board::System;
using Sem = Semaphore<K, Port>;
using PrioritySem = Semaphore<K, Port, WaitOrder::Priority>;

constexpr unsigned kMostCores = Port::kCores;
constexpr unsigned kRounds = 400;
constexpr unsigned kItemWords = 16;

unsigned cores = 1;
Atomic<uint32_t> ready;
Sem finished;
Atomic<uint32_t> wrong;

void expect(bool fact) {
  if (!fact) wrong.fetch_add(1, order::relaxed);
}
unsigned core_of(void* argument) {
  return static_cast<unsigned>(reinterpret_cast<uintptr_t>(argument));
}
unsigned after(unsigned core) {
  return (core + 1) % cores;
}

// --- A token goes around all cores ---

Sem token[kMostCores];
uint64_t handed_on;  // by whoever has the token: no other lock

void pass_on(void* argument) {
  const unsigned core = core_of(argument);
  for (unsigned i = 0; i < kRounds; ++i) {
    token[core].wait();
    expect(handed_on == uint64_t{i} * cores + core);
    ++handed_on;
    token[after(core)].signal();
  }
  finished.signal();
}

// --- Everybody gives, everybody takes; by priority ---

PrioritySem pool;
Atomic<uint32_t> taken;

void give(void*) {
  for (unsigned i = 0; i < kRounds; ++i) {
    pool.signal();
    if (i % 7 == 0) K::sleep_until(K::now() + K::Duration(microseconds(3)));
  }
  finished.signal();
}
void take(void*) {
  for (unsigned i = 0; i < kRounds; ++i) {
    pool.wait();
    taken.fetch_add(1, order::relaxed);
  }
  finished.signal();
}

// --- Channels and buffers to the next core ---

struct Item {
  uint64_t words[kItemWords];

  static uint64_t word(uint64_t number, unsigned i) {
    return number * 0x9e37'79b9'7f4a'7c15 + i * number;
  }
  static Item of(uint64_t number) {
    Item item;
    item.words[0] = number;
    for (unsigned i = 1; i < kItemWords; ++i) item.words[i] = word(number, i);
    return item;
  }
  bool whole() const {
    unsigned other = 0;
    for (unsigned i = 1; i < kItemWords; ++i) other += words[i] != word(words[0], i);
    return other == 0;
  }
};
FourSlot<Item> channels[kMostCores];
RingBuffer<Item, 5> buffers[kMostCores];

void write_items(void* argument) {
  const unsigned core = core_of(argument);
  for (uint64_t queued = 0, number = 0; queued < kRounds;) {
    channels[core].write(Item::of(++number));
    if (buffers[core].write(Item::of(queued + 1))) ++queued;
    pause();
  }
  finished.signal();
}
void read_items(void* argument) {
  const unsigned core = core_of(argument);
  uint64_t newest = 0;
  Item item;
  for (uint64_t expected = 1; expected <= kRounds;) {
    const Item seen = channels[core].read();
    expect(seen.whole() && seen.words[0] >= newest);
    newest = seen.words[0];
    if (buffers[core].read(item)) expect(item.whole() && item.words[0] == expected++);
    pause();
  }
  finished.signal();
}

// --- Counters under the port's lock, in line and as the next one ---

Port::Lock lock;
volatile uint64_t counters[4];

void count_up(void*) {
  for (unsigned i = 0; i < kRounds; ++i) {
    Port::IrqState state = Port::irq_save();
    if (i % 2 == 0) {
      Port::lock(lock);
    } else {
      while (!lock.lock_as_next()) {
        Port::irq_restore(state);
        Port::relax();
        state = Port::irq_save();
      }
    }
    for (volatile uint64_t& counter : counters) counter = counter + 1;
    expect(counters[0] == counters[3]);
    Port::unlock(lock);
    Port::irq_restore(state);
    pause();
  }
  finished.signal();
}

// --- Alarms wake threads of other cores ---

Sem rung[kMostCores];
K::Alarm alarms[kMostCores];

void ring(void* argument) {
  rung[after(core_of(argument))].signal();
}
void ring_and_wait(void* argument) {
  const unsigned core = core_of(argument);
  K::Alarm& alarm = alarms[core];
  alarm.handler = &ring;
  alarm.argument = argument;
  alarm.due = K::now() + K::Duration(microseconds(50));
  alarm.period = K::Duration(microseconds(40));
  alarm.times = kRounds;
  expect(K::start_alarm(alarm));
  for (unsigned i = 0; i < kRounds; ++i) rung[core].wait();
  finished.signal();
}

// --- The image ---

constexpr void (*kRoles[])(void*) = {&pass_on,    &give,     &take,         &write_items,
                                     &read_items, &count_up, &ring_and_wait};
constexpr unsigned kRoleCount = sizeof kRoles / sizeof *kRoles;

/// Threads as the roles want them: each on a virtual CPU of its own.
struct Place {
  alignas(K::Vcpu) unsigned char vcpu[sizeof(K::Vcpu)];
  alignas(K::Thread) unsigned char thread[sizeof(K::Thread)];
  alignas(Port::kStackAlignment) unsigned char stack[8192];
};
Place places[kMostCores][kRoleCount];
K::Vcpu tester_vcpu;
K::Thread tester;
alignas(Port::kStackAlignment) unsigned char tester_stack[Board::kTestStack];

K::Thread& make(unsigned core, unsigned role) {
  constexpr unsigned kFirstSlot = 2;
  Place& place = places[core][role];
  K::Vcpu& vcpu = *construct<K::Vcpu>(place.vcpu);
  vcpu.core = static_cast<CoreId>(core);
  K::add(vcpu, static_cast<uint16_t>(kFirstSlot + role), K::Duration(microseconds(60)),
         K::Duration(microseconds(1'000)), K::now());
  vcpu.background = role % 2 == 0;
  vcpu.deadline = K::Duration(microseconds(1'000));
  K::Thread& thread = *construct<K::Thread>(place.thread);
  thread.id = static_cast<uint16_t>(1 + core * kRoleCount + role);
  K::create(thread, vcpu, {place.stack, sizeof place.stack}, kRoles[role],
            reinterpret_cast<void*>(uintptr_t{core}));
  return thread;
}

void stress(void*) {
  const K::Instant at = K::now() + K::Duration(microseconds(200));
  for (unsigned core = 0; core < cores; ++core) {
    for (unsigned role = 0; role < kRoleCount; ++role) K::start(make(core, role), at);
  }
  token[0].signal();
  for (unsigned i = 0; i < cores * kRoleCount; ++i) finished.wait();
  expect(handed_on == uint64_t{kRounds} * cores);
  expect(token[0].try_wait() && !token[after(0)].try_wait());
  expect(taken.load(order::acquire) == kRounds * cores && !pool.try_wait());
  for (const volatile uint64_t& counter : counters) expect(counter == uint64_t{kRounds} * cores);
  print_number(cores * kRoleCount);
  print(" threads, ");
  print_number(wrong.load(order::acquire));
  print(" wrong\n");
  bare::exit(wrong.load(order::acquire) == 0 ? 0 : 1);
}

[[noreturn]] void boot(CoreId core) {
  doors = {[] { K::on_timer(); }, [] { K::on_reschedule(); }, [] { K::after_interrupt(); }};
  Port::irq_save();
  K::init_core(core, Board::kSlots);
  if (core != 0) {
    ready.fetch_add(1, order::acquire_release);
    K::run_core();
  }
  while (cores < Port::kCores && start_core(static_cast<CoreId>(cores))) ++cores;
  Port::cores_there = cores;
  while (ready.load(order::acquire) < cores - 1) Port::relax();
  K::add_best_effort(tester_vcpu, Board::kSlots - 1);
  K::create(tester, tester_vcpu, {tester_stack, sizeof tester_stack}, &stress, nullptr);
  K::start(tester, K::now());
  K::run_core();
}

}  // namespace

void print(const char* text) {
  bare::print(text);
}

}  // namespace hocket::contract

extern "C" void hocket_kernel_start(uint64_t number) {
  const auto core = static_cast<hocket::CoreId>(number);
  hocket::bare::prepare<hocket::contract::Port>(core);
  hocket::contract::boot(core);
}

HOCKET_AARCH64_DOORS(hocket::contract::Port, hocket::contract::K)
