// Loops as a product might have them, many of them, played on the kernel event by event.
//
// Every virtual CPU has a period between 10 and 640 ms and a share of 90 % of the core. Of eight:
//     two    spin: they run until the budget is used up, wait for the next, and so on
//     three  work for 0.3 to 1.2 budgets, wake a waiting thread, sleep until their next period
//     two    work for a little, then wait until woken
//     one    has two threads that yield to each other
// So at any time some are ready, some out of budget, some asleep and some waiting. Each thread has
// its own random numbers: what it does depends on how much it has run, not on the queue in use.
#pragma once

#include <algorithm>
#include <deque>
#include <utility>
#include <vector>

#include "bench/kernel/counted_port.h"
#include "bench/kernel/counter.h"
#include "kernel/task/kernel.h"

namespace hocket::bench {

/// SplitMix64 (Steele, Lea, Flood 2014).
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint64_t next() {
    uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  /// Evenly spread between the two.
  double between(double low, double high) {
    return low + (high - low) * static_cast<double>(next() >> 11) * 0x1p-53;
  }

 private:
  uint64_t state_;
};

template <class System>
class Workload {
  using Ticks = CountedPort::Ticks;
  using Instant = typename System::Instant;
  using Duration = typename System::Duration;
  using Level = Counter::Level;
  enum class Behaviour { Spin, Sleep, Wait, Yield };
  using Server = typename System::Policy::SupplyServer;
  static constexpr bool kBudgets = requires(const Server& server) { server.period(); };
  static constexpr Ticks kSlice = 10'000'000;

  struct Loop : System::Vcpu {
    Ticks c = 0;
    Ticks t = 0;
    Behaviour behaviour = Behaviour::Spin;
  };
  struct Thread : System::Thread {
    explicit Thread(uint64_t seed) : random(seed) {}
    Random random;
    Ticks work = 0;      // until its next action
    bool woken = false;  // has woken another one since it slept
  };

 public:
  explicit Workload(unsigned loops) : random_(loops) {
    System::init_core(0, loops);
    for (unsigned i = 0; i < loops; ++i) plan(loops_.emplace_back(), i, loops);
    std::vector<std::pair<Ticks, unsigned>> by_period;
    for (unsigned i = 0; i < loops; ++i) by_period.emplace_back(loops_[i].t, i);
    std::sort(by_period.begin(), by_period.end());
    for (unsigned slot = 0; slot < loops; ++slot) start(loops_[by_period[slot].second], slot);
  }

  /// Plays until `end`, or until `enough()` says so after some operation.
  template <class Enough>
  void play(Ticks end, Enough enough) {
    while (CountedPort::clock < end && !enough()) step();
  }

  uint64_t operations = 0;
  uint64_t schedule = 0xcbf29ce484222325;  // a digest (FNV-1a) of who ran when

 private:
  void plan(Loop& loop, unsigned index, unsigned loops) {
    static constexpr Behaviour kOfEight[] = {Behaviour::Spin,  Behaviour::Sleep, Behaviour::Wait,
                                             Behaviour::Yield, Behaviour::Sleep, Behaviour::Spin,
                                             Behaviour::Wait,  Behaviour::Sleep};
    loop.behaviour = kOfEight[index % 8];
    // Where no budget ends it, nobody spins: it would have the core for itself.
    if (!kBudgets && loop.behaviour == Behaviour::Spin) loop.behaviour = Behaviour::Sleep;
    // As many in each octave from 10 ms to 640 ms, with arithmetic that is exact everywhere.
    loop.t = static_cast<Ticks>(random_.between(10e6, 20e6)) << random_.next() % 6;
    loop.c =
        static_cast<Ticks>(static_cast<double>(loop.t) * 0.9 / loops * random_.between(0.5, 1.5));
  }

  void start(Loop& loop, unsigned slot) {
    const auto place = static_cast<uint16_t>(slot);
    if constexpr (kBudgets) {
      System::add(loop, place, Duration(loop.c), Duration(loop.t), Instant(0));
    } else if constexpr (Server::kLimited) {
      System::add(loop, place, Duration(kSlice));
    } else {
      System::add(loop, place);
    }
    loop.deadline = Duration(loop.t);
    const unsigned threads = loop.behaviour == Behaviour::Yield ? 2 : 1;
    for (unsigned i = 0; i < threads; ++i) {
      Thread& thread = threads_.emplace_back(random_.next());
      System::create(thread, loop, {}, nullptr, nullptr);
      thread.id = static_cast<uint16_t>(threads_.size() - 1);
      thread.meter.start(Instant(0), Duration(loop.t));
      thread.work = next_work(thread);
      System::start(thread,
                    Instant(static_cast<Ticks>(random_.between(0, static_cast<double>(loop.t)))));
    }
  }

  static Loop& loop_of(Thread& thread) { return static_cast<Loop&>(*thread.vcpu); }

  static Ticks next_work(Thread& thread) {
    const Loop& loop = loop_of(thread);
    const auto budget = static_cast<double>(loop.c);
    switch (loop.behaviour) {
      case Behaviour::Spin:
        return INT64_MAX / 4;
      case Behaviour::Sleep:
        return 1 + static_cast<Ticks>(budget * thread.random.between(0.3, 1.2));
      case Behaviour::Wait:
        return 1 + static_cast<Ticks>(budget * thread.random.between(0.1, 0.5));
      case Behaviour::Yield:
        return 1 + static_cast<Ticks>(budget * thread.random.between(0.1, 0.3));
    }
    return 0;
  }

  /// The current thread runs up to its next action or the next interrupt, which then happens.
  void step() {
    const bool idle = System::core(0).current == &System::idle(0);
    if (CountedPort::rescheduled) {
      CountedPort::rescheduled = false;
      System::on_reschedule();
      System::after_interrupt();
      return;
    }
    Ticks until = CountedPort::alarm;
    if (!idle) until = std::min(until, CountedPort::clock + current().work);
    const Ticks ran = std::max<Ticks>(until - CountedPort::clock, 0);
    CountedPort::clock += ran;
    if (!idle) current().work -= ran;
    if (CountedPort::clock >= CountedPort::alarm) {
      timer();
    } else {
      act(current());
    }
  }

  static Thread& current() { return static_cast<Thread&>(System::self()); }

  void timer() {
    const auto core = System::LockedCore::at_rest(System::core(0));
    const bool charged = core->policy.running() != nullptr && !core->policy.running_in_background();
    const bool exhausted = charged && core->policy.limit() <= Instant(CountedPort::clock);
    const auto* before = core->current;
    CountedPort::alarm = CountedPort::kNoAlarm;
    Counter::piece(Level::WholeCall, [] {
      System::on_timer();
      System::after_interrupt();
    });
    done(exhausted                 ? "budget timer"
         : before == core->current ? "timer, same thread goes on"
                                   : "timer, preemption");
  }

  void act(Thread& thread) {
    switch (loop_of(thread).behaviour) {
      case Behaviour::Sleep:
        return thread.woken ? sleep(thread) : wake_somebody(thread);
      case Behaviour::Wait:
        return wait(thread);
      default:
        thread.work = next_work(thread);
        Counter::piece(Level::WholeCall, [] { System::yield(); });
        return done("yield");
    }
  }

  void sleep(Thread& thread) {
    thread.woken = false;
    thread.work = next_work(thread);
    const Ticks period = loop_of(thread).t;
    const Instant until((CountedPort::clock / period + 1) * period);
    Counter::piece(Level::WholeCall, [until] { System::sleep_until(until); });
    done("sleep");
  }

  void wait(Thread& thread) {
    thread.work = next_work(thread);
    Counter::piece(Level::WholeCall,
                   [this] { System::wait([this](auto& self) { waiting_.push_back(self); }); });
    done("wait");
  }

  void wake_somebody(Thread& thread) {
    thread.woken = true;
    thread.work = 100;
    if (waiting_.empty()) return;
    auto& other = waiting_.pop_front();
    Counter::piece(Level::WholeCall, [&other] { System::wake(other); });
    done("wake");
  }

  void done(const char* operation) {
    ++operations;
    const uint16_t runs = System::self().id;
    if (runs != ran_) {
      digest(static_cast<uint64_t>(CountedPort::clock));
      digest(ran_ = runs);
    }
    Counter::operation(operation);
  }

  void digest(uint64_t word) { schedule = (schedule ^ word) * 0x100000001b3; }

  static constexpr Ticks kMinimum = 1'000;  // smallest part of a budget worth a dispatch
  Random random_;
  uint16_t ran_ = Event::kNoThread;
  std::deque<Loop> loops_;
  std::deque<Thread> threads_;
  List<typename System::Thread> waiting_;
};

}  // namespace hocket::bench
