// Loops in two parts as they run (kernel/task/migration.h): random sets that admission has split,
// on the simulated machine, with loops that behave in every way.
//
// What a loop has done is counted by itself: rounds of a known length, each in the period in which
// it ended. So the kernel's clock and its own account are not asked.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <vector>

#include "admission/splitting.h"
#include "kernel/sched/deadline_policy.h"
#include "kernel/task/kernel.h"
#include "kernel/task/ticket_lock.h"
#include "ports/host/machine.h"
#include "ports/host/port.h"
#include "tests/property/support.h"

namespace hocket::test {
namespace {

using Port = host::HostPort;
using Time = Port::Ticks;
constexpr unsigned kMostCores = 4;
constexpr unsigned kMostLoops = 16;
constexpr unsigned kSlots = kMostLoops + 2;
constexpr Time kMs = 1'000'000;
constexpr Time kSection = 10'000;  // a lock is held, at most

struct Config {
  static constexpr unsigned kMaxAlarms = 2;
  static constexpr KernelOptions kOptions;
  using Trace = NoTrace;
  template <class Observer>
  using Policy = DeadlinePolicy<Time, kSlots, 16, Observer, PortCharges<Port>, /*kMaySplit=*/true>;
};
using K = Kernel<Port, Config>;
static_assert(K::kMigrates);
using Splitter = Splitting<Time, kMostLoops, kMostLoops, kMostCores>;

/// What a loop does, always.
enum class Habit : std::uint8_t {
  Spins,      // never stops
  Periodic,   // its budget's work in each period, then it sleeps until the next one
  Naps,       // works and sleeps for random times
  Waits,      // its budget's work whenever it is resumed, which is not more often than its period
  Pestered,   // works for random times and suspends itself; is resumed at random, all the time
  WaitsLong,  // the same with an end to its waits
  Locks,      // spins, and takes a spinlock with everybody of this kind
  Wakes,      // on core 0: resumes those that want to be
};

struct Loop {
  K::Vcpu vcpu, second;
  K::Thread thread;
  std::unique_ptr<char[]> memory;
  SplitRequest<Time> placed;
  unsigned rank[2] = {};
  Habit habit = Habit::Spins;
  std::uint64_t seed = 0;
  // Counted by its own thread.
  std::vector<Time> work;  // in each period
  std::uint64_t calls = 0, late = 0;
  Time worst = 0;
  std::array<Time, kMostCores> on_core{};
  // Of one that is resumed: since when, and by what.
  Time resumed_at = 0;
};

/// One run: nothing of it outlives it.
struct Bench {
  unsigned cores = 0;
  std::vector<std::unique_ptr<Loop>> loops;
  bool locks = false;
  Time round = 0;  // how long a round takes alone
  Time begin = 0, end = 0;
  Atomic<std::uint32_t> ready;
  std::uint32_t lock = 0;
  std::uint64_t held = 0;
  K::Vcpu setup_vcpu;
  K::Thread setup;
  std::unique_ptr<char[]> setup_memory;
};
Bench* bench = nullptr;

Time now() {
  return K::now().ticks();
}

/// A round of work.
[[gnu::noinline]] void work_for_a_round() {
  for (volatile int i = 0; i < 40; i = i + 1) {
  }
}

/// Rounds until so much work has been done; what ended in a period is counted there.
void do_work(Loop& loop, Time amount) {
  const Time period = loop.placed.demand.period;
  for (Time done = 0; done + bench->round <= amount; done += bench->round) {
    work_for_a_round();
    const auto in = static_cast<std::size_t>((now() - bench->begin) / period);
    if (in < loop.work.size()) loop.work[in] += bench->round;
    loop.on_core[Port::core_id()] += bench->round;
  }
}

void note_response(Loop& loop, Time since) {
  const Time taken = now() - since;
  ++loop.calls;
  loop.worst = std::max(loop.worst, taken);
  if (taken > loop.placed.demand.deadline) ++loop.late;
}

void take_turns_with_a_lock(Loop& loop, Random& random) {
  const Port::IrqState state = Port::irq_save();
  const auto slot = loop.thread.vcpu->slot;
  K::raise_self(0, K::Duration(kSection * bench->cores));
  Port::irq_restore(state);
  ticket_lock<kMostCores>(bench->lock, [] { Port::relax(); });
  ++bench->held;
  do_work(loop, random.between(1, 5'000));
  ticket_unlock(bench->lock);
  K::lower_self(slot);
  do_work(loop, random.between(1, 200'000));
}

/// Whoever wants to be resumed is.
void wake_others(Random& random) {
  K::sleep_until(K::now() + K::Duration(random.between(1, 400'000)));
  for (const auto& loop : bench->loops) {
    if (loop->habit == Habit::Pestered || loop->habit == Habit::WaitsLong) {
      if (random.chance(0.5)) K::resume(loop->thread);
    }
    if (loop->habit != Habit::Waits) continue;
    if (now() - loop->resumed_at < loop->placed.demand.period) continue;
    loop->resumed_at = now();
    K::resume(loop->thread);
  }
}

void run_loop(void* argument) {
  Loop& loop = *static_cast<Loop*>(argument);
  Random random(loop.seed);
  const Demand<Time>& demand = loop.placed.demand;
  for (Time release = bench->begin;; release += demand.period) {
    switch (loop.habit) {
      case Habit::Spins:
        do_work(loop, demand.period);
        break;
      case Habit::Periodic:
        do_work(loop, demand.budget);
        note_response(loop, release);
        K::sleep_until(K::Instant(release + demand.period));
        break;
      case Habit::Naps:
        do_work(loop, random.between(0, demand.budget));
        K::sleep_until(K::now() + K::Duration(random.between(1, demand.period)));
        break;
      case Habit::Waits:
        K::suspend_self();
        do_work(loop, demand.budget);
        note_response(loop, loop.resumed_at);
        break;
      case Habit::Pestered:
        do_work(loop, random.between(0, demand.budget / 4));
        K::suspend_self();
        break;
      case Habit::WaitsLong:
        do_work(loop, random.between(0, demand.budget / 4));
        static_cast<void>(
            K::suspend_self_until(K::now() + K::Duration(random.between(1, demand.period))));
        break;
      case Habit::Locks:
        take_turns_with_a_lock(loop, random);
        break;
      case Habit::Wakes:
        wake_others(random);
        break;
    }
  }
}

void start_all(void*) {
  while (bench->ready.load(order::acquire) < bench->cores) Port::relax();
  const Port::IrqState state = Port::irq_save();  // nobody else runs here
  Loop alone;
  alone.placed.demand.period = bench->end;
  alone.work.resize(1);
  bench->round = 1;
  constexpr int kRounds = 200;
  const Time before = now();
  do_work(alone, kRounds);
  bench->round = (now() - before + kRounds - 1) / kRounds;
  bench->begin = now() + kMs;
  for (const auto& loop : bench->loops) {
    loop->resumed_at = bench->begin;  // (when it first suspends itself: an activation, too)
    K::start(loop->thread, K::Instant(bench->begin));
  }
  Port::irq_restore(state);
  host::Machine::instance().forget_longest_masked();
}

port::Stack stack_of(std::unique_ptr<char[]>& memory) {
  constexpr std::size_t kBytes = 64 * 1024;
  memory = std::make_unique<char[]>(kBytes);
  return {memory.get(), kBytes};
}

Time enforced(Time budget) {
  return budget + activation_cost(Port::costs(), /*several_cores=*/true);
}

void create(Loop& loop, CoreId core) {
  for (unsigned i = 0; i < loop.placed.parts; ++i) {
    const Part<Time>& part = loop.placed.part[i];
    if (part.core != core) continue;
    K::Vcpu& vcpu = i == 0 ? loop.vcpu : loop.second;
    vcpu.due_after = K::Duration(part.deadline);
    vcpu.deadline = K::Duration(loop.placed.demand.deadline);
    K::add(vcpu, static_cast<K::Policy::Slot>(1 + loop.rank[i]), K::Duration(enforced(part.budget)),
           K::Duration(loop.placed.demand.period), K::now());
    if (loop.placed.parts == 2) K::add_part(vcpu);
    if (i == 0) K::create(loop.thread, vcpu, stack_of(loop.memory), &run_loop, &loop);
  }
}

void boot(void* argument) {
  const auto core = static_cast<CoreId>(reinterpret_cast<std::uintptr_t>(argument));
  Port::irq_save();
  K::init_core(core, kSlots);
  for (const auto& loop : bench->loops) create(*loop, core);
  if (core == 0) {
    K::add_best_effort(bench->setup_vcpu, kSlots - 1);
    K::create(bench->setup, bench->setup_vcpu, stack_of(bench->setup_memory), &start_all, nullptr);
    K::start(bench->setup, K::now());
  }
  bench->ready.fetch_add(1, order::release);
  K::run_core();
}

// --- Sets ---

Overheads<Time> overheads(unsigned cores, bool locks) {
  const Time spin = locks ? kSection * static_cast<Time>(cores) : 0;
  return {.costs = Port::costs(),
          .blocking = spin,
          .overrun = spin,
          .several_cores = true,
          .by_deadline = true};
}

/// Loops with nearly all of the cores' time, and who wakes them.
std::vector<SplitRequest<Time>> draw(Random& random, unsigned cores) {
  constexpr std::array<Time, 6> kPeriods{6, 8, 10, 12, 15, 20};
  const double load = cores * (0.8 + 0.15 * random.unit()) - 0.1;
  const auto count = static_cast<std::size_t>(random.between(cores + 1, 2 * cores + 2));
  std::vector<double> shares;
  do {
    shares = uunifast(random, count, load);
  } while (*std::max_element(shares.begin(), shares.end()) > 0.97 ||
           *std::min_element(shares.begin(), shares.end()) < 0.03);
  std::vector<SplitRequest<Time>> requests(count + 1);
  for (std::size_t i = 0; i < count; ++i) {
    const Time period = kMs * kPeriods[static_cast<std::size_t>(random.between(0, 5))];
    const auto budget = static_cast<Time>(shares[i] * static_cast<double>(period));
    const Time deadline = random.chance(0.3) ? random.between(budget, period) : period;
    requests[i].demand = {budget, period, deadline, static_cast<uint8_t>(i)};
  }
  requests[count].demand = {kMs / 4, 5 * kMs, 5 * kMs, static_cast<uint8_t>(count)};
  requests[count].pinned = 0;
  return requests;
}

/// Where everybody goes, if they fit.
std::optional<std::vector<std::unique_ptr<Loop>>> place(std::vector<SplitRequest<Time>> requests,
                                                        unsigned cores, bool locks) {
  std::vector<Splitter::Analysis> analyses(cores, Splitter::Analysis(overheads(cores, locks)));
  Splitter splitter(analyses.data(), cores);
  if (!splitter.place_all(requests.data(), static_cast<unsigned>(requests.size()))) return {};
  std::vector<std::unique_ptr<Loop>> loops;
  for (const auto& request : requests) {
    auto& loop = *loops.emplace_back(std::make_unique<Loop>());
    loop.placed = request;
    loop.vcpu.core = request.part[0].core;
    loop.second.core = request.part[1].core;
    for (unsigned part = 0; part < request.parts; ++part) {
      const Splitter::Analysis& analysis = analyses[request.part[part].core];
      while (analysis[loop.rank[part]].id != request.demand.id) ++loop.rank[part];
    }
    if (request.parts == 2) {
      const Overheads<Time> known = overheads(cores, locks);
      K::split(loop.vcpu, loop.second, loop.thread, K::Duration(request.part[1].offset),
               K::Duration(known.enforcement() + known.overrun));
    }
  }
  loops.back()->habit = Habit::Wakes;
  return loops;
}

void run(Bench& all, std::uint64_t seed, Time length) {
  host::MachineOptions options;
  options.seed = seed;
  options.cores = all.cores;
  options.end = static_cast<host::Nanos>(length);
#if __has_feature(address_sanitizer)
  // The sanitizers' own checks are basic blocks too, and declared costs must hold.
  options.model.block /= 10;
#endif
  all.end = length;
  for (const auto& loop : all.loops) {
    loop->seed = seed * 100 + loop->placed.demand.id;
    loop->work.assign(static_cast<std::size_t>(length / loop->placed.demand.period), 0);
  }
  bench = &all;
  for (unsigned core = 0; core < kMostCores; ++core) {  // as before the first run
    std::memset(static_cast<void*>(&K::core(static_cast<CoreId>(core))), 0, sizeof(K::GuardedCore));
  }
  host::Machine machine(options);
  machine.run(&boot);
  bench = nullptr;
}

/// Its budget in each whole period but for the first, in which it began.
Time least_work(const Loop& loop, const Bench& all) {
  const Time period = loop.placed.demand.period;
  const auto whole = static_cast<std::size_t>((all.end - all.begin) / period);
  return *std::min_element(loop.work.begin(), loop.work.begin() + static_cast<long>(whole));
}

/// What was promised, whoever else does what.
void expect_kept(const Bench& all, std::uint64_t seed) {
  for (const auto& loop : all.loops) {
    const Demand<Time>& demand = loop->placed.demand;
    const auto where = ::testing::Message()
                       << "seed " << seed << " loop " << int{demand.id} << " of "
                       << all.loops.size() << " habit " << static_cast<int>(loop->habit)
                       << " parts " << int{loop->placed.parts} << " C " << demand.budget << " T "
                       << demand.period << " D " << demand.deadline;
    EXPECT_EQ(loop->late, 0u) << where << " worst " << loop->worst;
    EXPECT_EQ(loop->vcpu.deadline_misses + loop->second.deadline_misses, 0u) << where;
    if (loop->habit == Habit::Spins) {
      // (What it was ahead at the end of a period is missing in the next one.)
      const Overheads<Time> known = overheads(all.cores, all.locks);
      const Time ahead = known.enforcement() + known.overrun;
      EXPECT_GE(least_work(*loop, all), demand.budget - all.round - ahead) << where;
      const Time periods = (all.end - all.begin) / demand.period;
      for (unsigned part = 0; part < loop->placed.parts; ++part) {
        const Part<Time>& at = loop->placed.part[part];
        EXPECT_GE(loop->on_core[at.core], (periods - 1) * (at.budget - ahead)) << where;
      }
    }
    if (loop->habit == Habit::Periodic) {
      EXPECT_GE(loop->calls, static_cast<std::uint64_t>((all.end - all.begin) / demand.period));
    }
  }
}

struct Seen {
  int sets = 0, split = 0, refused = 0;
};

/// Sets that run in parts, of each test.
int count_of_sets() {
  return std::getenv("HOCKET_LONG") != nullptr ? 60 : 3;
}

/// `habit`: of a loop, given whether it has two parts.
template <class Habits>
Seen try_sets(std::uint64_t first, bool locks, Habits habit) {
  const int count = count_of_sets();
  Seen seen;
  for (std::uint64_t seed = first; seen.split < count; ++seed) {
    Random random(seed);
    Bench all;
    all.cores = static_cast<unsigned>(random.between(2, kMostCores));
    auto loops = place(draw(random, all.cores), all.cores, locks);
    if (!loops) {
      ++seen.refused;
      continue;
    }
    ++seen.sets;
    all.loops = std::move(*loops);
    all.locks = locks;
    const auto in_parts = std::count_if(all.loops.begin(), all.loops.end(),
                                        [](const auto& loop) { return loop->placed.parts == 2; });
    if (in_parts == 0) continue;
    ++seen.split;
    for (auto& loop : all.loops) {
      if (loop->habit != Habit::Wakes) loop->habit = habit(random, *loop);
    }
    run(all, seed, 150 * kMs);
    expect_kept(all, seed);
    if (::testing::Test::HasFailure()) return seen;
  }
  std::printf("%d sets run in parts, %d fitted whole, %d were refused\n", seen.split,
              seen.sets - seen.split, seen.refused);
  return seen;
}

TEST(SplitRun, EachLoopHasItsBudgetInEachPeriod) {
  try_sets(1, false, [](Random&, const Loop&) { return Habit::Spins; });
}

TEST(SplitRun, EachCallIsInTime) {
  try_sets(1000, false, [](Random&, const Loop&) { return Habit::Periodic; });
}

TEST(SplitRun, WhoIsWokenIsInTime) {
  try_sets(2000, false, [](Random&, const Loop& loop) {
    return loop.placed.parts == 2 ? Habit::Waits : Habit::Spins;
  });
}

/// Each does something else, and who keeps within its promise has what it was promised.
TEST(SplitRun, WhateverOthersDoEachHasWhatItWasPromised) {
  static constexpr std::array kAny{Habit::Spins, Habit::Periodic, Habit::Waits,
                                   Habit::Naps,  Habit::Pestered, Habit::WaitsLong};
  try_sets(3000, false, [](Random& random, const Loop&) {
    return kAny[static_cast<std::size_t>(random.between(0, kAny.size() - 1))];
  });
}

/// Across cores, from either part.
TEST(SplitRun, WhoHoldsALockKeepsNobodyLonger) {
  static constexpr std::array kAny{Habit::Spins, Habit::Periodic, Habit::Locks};
  try_sets(4000, true, [](Random& random, const Loop&) {
    return kAny[static_cast<std::size_t>(random.between(0, kAny.size() - 1))];
  });
}

}  // namespace
}  // namespace hocket::test

extern "C" {
void hocket_timer_interrupt() {
  hocket::test::K::on_timer();
}
void hocket_reschedule_interrupt() {
  hocket::test::K::on_reschedule();
}
void hocket_interrupt_exit() {
  hocket::test::K::after_interrupt();
}
}
/// A failed invariant of the kernel (HOCKET_CHECKED).
void hocket_check_failed(const char* what, const char* file, unsigned line) {
  std::printf("FAIL invariant: %s:%u: %s\n", file, line, what);
  std::fflush(stdout);
  std::abort();
}
