// What the board declares that the kernel costs, with as many virtual CPUs on a core as it says.
//
// The load: of four virtual CPUs one spins, one works and sleeps until its next period, one waits
// until woken, and one wakes it; all of them start at one instant, and half their sleeps end at
// one. The two of the highest priorities wait and wake each other alone: nothing comes between
// them.
#include "kernel/base/construct.h"
#include "tests/contract/kernel/kernel_bench.h"

namespace hocket::contract {
namespace {

constexpr unsigned kLoad = Board::kLoad;
constexpr uint16_t kFirstSlot = 2;

alignas(K::Vcpu) unsigned char vcpu_memory[kLoad][sizeof(K::Vcpu)];
alignas(K::Thread) unsigned char thread_memory[kLoad][sizeof(K::Thread)];
alignas(Port::kStackAlignment) unsigned char stacks[kLoad][Port::kSmallestStack];
constexpr unsigned kPair = 2;  // the first two
Sem work;
Sem pair;
Sem done;
volatile bool stopping = false;
Instant signalled_at;
Ticks worst_wake = 0;

/// Periods of 5 to 20 ms; each has about 0.3 % of the core.
Duration period_of(unsigned i) {
  return us(5'000 + i * 1'997 % 15'000);
}
/// The pair meets some 15 times in a period: its budgets must not end between two looks at the
/// clock.
Duration budget_of(unsigned i) {
  return us(i < kPair ? 60 : 20);
}

void spinner(unsigned) {
  while (!stopping) pause();
}
void sleeper(unsigned i) {
  Instant next = K::self().wake_at;
  while (!stopping) {
    spin_for(us(3 + i % 13));
    next += i % 8 < 4 ? us(10'000) : period_of(i);  // half of them together
    K::sleep_until(next);
  }
}
void waiter(unsigned) {
  while (!stopping) work.wait();
}
void waker(unsigned i) {
  while (!stopping) {
    spin_for(us(2));
    work.signal();
    K::sleep_until(K::now() + us(400 + i));
  }
}
void first_of_pair(unsigned) {
  while (!stopping) {
    pair.wait();
    worst_wake = larger(worst_wake, (K::now() - signalled_at).ticks());
  }
}
void second_of_pair(unsigned) {
  while (!stopping) {
    signalled_at = K::now();
    pair.signal();
    K::sleep_until(K::now() + us(337));
  }
  pair.signal();
}

void load_thread(void* argument) {
  static constexpr void (*kPairs[kPair])(unsigned) = {&first_of_pair, &second_of_pair};
  static constexpr void (*kBehaviours[])(unsigned) = {&waiter, &spinner, &sleeper, &waker};
  const auto i = static_cast<unsigned>(reinterpret_cast<uintptr_t>(argument));
  (i < kPair ? kPairs[i] : kBehaviours[i % 4])(i);
  done.signal();
}

void start_load(Instant at) {
  for (unsigned i = 0; i < kLoad; ++i) {
    K::Vcpu& vcpu = *construct<K::Vcpu>(&vcpu_memory[i]);
    K::Thread& thread = *construct<K::Thread>(&thread_memory[i]);
    K::add(vcpu, static_cast<uint16_t>(kFirstSlot + i), budget_of(i) + K::Charges::activation(),
           period_of(i), K::now());
    vcpu.deadline = period_of(i);
    K::create(thread, vcpu, {stacks[i], sizeof stacks[i]}, &load_thread,
              reinterpret_cast<void*>(uintptr_t{i}));
    thread.meter.start(at, period_of(i));
    K::start(thread, at);
  }
}

void stop_load() {
  stopping = true;
  for (unsigned i = 0; i < kLoad; ++i) work.signal();  // the waiters
  for (unsigned i = 0; i < kLoad; ++i) done.wait();
}

// --- The tests ---

void masked_no_longer_than_declared() {
  const Ticks longest = Port::longest(0) + Port::kVectors;
  tell("longest masked section", longest, Port::costs().longest_masked);
  HOCKET_EXPECT_IN_TIME(longest <= Port::costs().longest_masked);
}

/// From signal() to the woken thread's code.
void a_wake_up_costs_no_more_than_declared() {
  tell("wake-up with a switch", worst_wake, Port::costs().context_switch);
  HOCKET_EXPECT_IN_TIME(worst_wake > 0 && worst_wake <= Port::costs().context_switch);
}

/// Whoever spins gets its budget in each period, however many others there are; and no more in all
/// than that and what an activation may cost, once a period and once at either end.
void all_spinners_get_their_budgets() {
  const Duration enforced = us(20) + K::Charges::activation();
  bool kept = true;
  bool bounded = true;
  for (unsigned i = kPair + 3; i < kLoad; i += 4) {
    const auto& meter = reinterpret_cast<const K::Thread*>(thread_memory[i])->meter;
    kept = kept && meter.windows() >= 2 && meter.least() >= us(20);
    bounded = bounded && meter.total() <= enforced * (meter.windows() + 2);
  }
  HOCKET_EXPECT_IN_TIME(kept);
  HOCKET_EXPECT_IN_TIME(bounded);
}

}  // namespace

void run_cost_tests() {
  Port::forget();  // until now tests masked on purpose
  const Instant at = K::now() + us(2'000);
  start_load(at);
  K::sleep_until(at + us(times_are_judged ? 60'000 : 10'000));
  run("all_spinners_get_their_budgets", &all_spinners_get_their_budgets);
  run("masked_no_longer_than_declared", &masked_no_longer_than_declared);
  run("a_wake_up_costs_no_more_than_declared", &a_wake_up_costs_no_more_than_declared);
  stop_load();
}

}  // namespace hocket::contract
