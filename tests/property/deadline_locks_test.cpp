// Locks with ceilings by earliest deadline first: the kernel's schedule against a slow one, who may
// run while a lock is held, and that what is admitted with its sections is in time.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>

#include "admission_adapter.h"
#include "generate.h"

#define HOCKET_CHECKED
#include "kernel/sched/deadline_policy.h"

namespace hocket::test {
namespace {

constexpr int kNoLock = -1;
constexpr int kNobody = -1;
constexpr Ticks kHorizon = 600;

/// Work of C in every T from `phase` on; `length` of it, from `begin` on, with a lock.
struct Task {
  Ticks budget, period, deadline, phase;
  int lock = kNoLock;
  Ticks begin = 0, length = 0;
};

/// In the order of their deadlines.
struct Set {
  std::vector<Task> tasks;
  int locks = 0;

  bool uses(int task, int lock) const { return tasks[static_cast<std::size_t>(task)].lock == lock; }
  /// The least D − C of those who use a lock: the floor under its holder's deadline.
  Ticks floor_of(int lock) const {
    Ticks least = kHorizon * 2;
    bool below = false;  // all below the ceiling are taken for users
    for (const Task& task : tasks) {
      below = below || task.lock == lock;
      if (below) least = std::min(least, task.deadline - task.budget);
    }
    return least;
  }
};

Set draw(std::uint64_t seed) {
  Random random(seed);
  Set set;
  set.locks = 1 + static_cast<int>(random.bits() % 2);
  const int count = 2 + static_cast<int>(random.bits() % 4);
  for (int i = 0; i < count; ++i) {
    Task task{};
    task.period = 8 + static_cast<Ticks>(random.bits() % 60);
    task.budget = 1 + static_cast<Ticks>(random.bits() % static_cast<std::uint64_t>(
                                                             std::max<Ticks>(1, task.period / 3)));
    const Ticks room = task.period - task.budget;
    task.deadline =
        task.period - static_cast<Ticks>(random.bits() % static_cast<std::uint64_t>(room / 2 + 1));
    task.phase = static_cast<Ticks>(random.bits() % 3 == 0 ? 0 : random.bits() % 20);
    if (random.bits() % 4 != 0) {
      task.lock = static_cast<int>(random.bits() % static_cast<std::uint64_t>(set.locks));
      task.begin = static_cast<Ticks>(random.bits() % static_cast<std::uint64_t>(task.budget));
      task.length = 1 + static_cast<Ticks>(random.bits() %
                                           static_cast<std::uint64_t>(task.budget - task.begin));
    }
    set.tasks.push_back(task);
  }
  std::sort(set.tasks.begin(), set.tasks.end(),
            [](const Task& a, const Task& b) { return a.deadline < b.deadline; });
  return set;
}

/// Each section holds up those who share its lock: as admission is told.
DeadlineAnswer admitted(const Set& set, bool with_sections) {
  TaskSet plain;
  std::vector<Section> sections;
  for (const Task& task : set.tasks) {
    plain.servers.push_back(
        {.name = "t", .budget = task.budget, .period = task.period, .deadline = task.deadline});
    if (task.lock != kNoLock && with_sections) {
      sections.push_back({task.length, task.deadline, std::max<Ticks>(set.floor_of(task.lock), 1)});
    }
  }
  return admit_by_deadline(plain, {}, sections);
}

struct Job {
  Ticks done = 0;
  Ticks release = 0;
  bool ready = false;
};

struct Outcome {
  std::vector<int> who;  // in each tick
  bool missed = false;
  bool intruded = false;  // somebody ran who uses a lock that another one held
};

bool in_section(const Task& task, const Job& job) {
  return job.ready && task.lock != kNoLock && job.done >= task.begin &&
         job.done < task.begin + task.length;
}

/// What both say of a tick in which `who` runs.
void look(const Set& set, const std::vector<Job>& jobs, const std::vector<bool>& holds, int who,
          Outcome& outcome) {
  for (std::size_t other = 0; other < jobs.size(); ++other) {
    if (!holds[other] || static_cast<int>(other) == who) continue;
    if (set.uses(who, set.tasks[other].lock)) outcome.intruded = true;
  }
}

/// Tick by tick, from the definition: the earliest of all deadlines runs; who holds a lock is due
/// by the floor at the latest, counted from when it took it.
Outcome run_slowly(const Set& set) {
  Outcome outcome;
  std::vector<Job> jobs(set.tasks.size());
  std::vector<bool> holds(jobs.size());
  std::vector<Ticks> since(jobs.size());
  for (Ticks now = 0; now < kHorizon; ++now) {
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      const Task& task = set.tasks[i];
      if (now < task.phase || (now - task.phase) % task.period != 0) continue;
      if (jobs[i].ready) outcome.missed = true;
      jobs[i] = {0, now, true};
    }
    if (outcome.missed) return outcome;
    const auto due = [&](std::size_t i) {
      const Ticks own = jobs[i].release + set.tasks[i].deadline;
      return holds[i] ? std::min(own, since[i] + set.floor_of(set.tasks[i].lock)) : own;
    };
    int chosen = kNobody;
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      if (!jobs[i].ready) continue;
      const auto best = static_cast<std::size_t>(chosen);
      if (chosen == kNobody || due(i) < due(best) ||
          (due(i) == due(best) && holds[i] && !holds[best])) {
        chosen = static_cast<int>(i);
      }
    }
    outcome.who.push_back(chosen);
    if (chosen == kNobody) continue;
    const auto who = static_cast<std::size_t>(chosen);
    if (in_section(set.tasks[who], jobs[who]) && !holds[who]) {
      holds[who] = true;
      since[who] = now;
    }
    look(set, jobs, holds, chosen, outcome);
    ++jobs[who].done;
    if (!in_section(set.tasks[who], jobs[who])) holds[who] = false;
    if (jobs[who].done == set.tasks[who].budget) jobs[who].ready = false;
    if (!jobs[who].ready && now + 1 > jobs[who].release + set.tasks[who].deadline) {
      outcome.missed = true;
    }
  }
  return outcome;
}

/// The same with the kernel's policy, asked at each tick.
class KernelRun {
  using Policy = DeadlinePolicy<std::int64_t, 16, 8>;
  using Instant = Policy::Instant;
  using Duration = Policy::Duration;

 public:
  explicit KernelRun(const Set& set) : set_(set), jobs_(set.tasks.size()), holds_(jobs_.size()) {
    // A ceiling has a slot just above the first of its users; slot 0 would be above all.
    Policy::Slot slot = 1;
    ceilings_.resize(static_cast<std::size_t>(set.locks));
    for (std::size_t i = 0; i < jobs_.size(); ++i) {
      for (int lock = 0; lock < set.locks; ++lock) {
        auto& ceiling = ceilings_[static_cast<std::size_t>(lock)];
        if (ceiling == 0 && set.uses(static_cast<int>(i), lock)) ceiling = slot++;
      }
      slots_.push_back(slot++);
    }
    policy_.reset(slot);
    for (std::size_t i = 0; i < jobs_.size(); ++i) {
      const Task& task = set.tasks[i];
      entities_[i].due_after = Duration(task.deadline);
      policy_.add(entities_[i], slots_[i], Duration(task.budget), Duration(task.period),
                  Instant(0));
      policy_.block(entities_[i], Instant(0));
    }
  }

  Outcome run() {
    for (Ticks now = 0; now < kHorizon && !outcome_.missed; ++now) {
      arrive(now);
      Instant when;
      if (policy_.next_event(when) && when <= Instant(now)) pick(now, Cause::Timer);
      begin_section(now);
      execute(now);
    }
    return outcome_;
  }

 private:
  void pick(Ticks now, Cause cause) { static_cast<void>(policy_.pick(Instant(now), cause)); }
  int running() const {
    const auto* entity = policy_.running();
    return entity == nullptr ? kNobody : static_cast<int>(entity - entities_);
  }

  void arrive(Ticks now) {
    bool decide = false;
    for (std::size_t i = 0; i < jobs_.size(); ++i) {
      const Task& task = set_.tasks[i];
      if (now < task.phase || (now - task.phase) % task.period != 0) continue;
      if (jobs_[i].ready) outcome_.missed = true;
      jobs_[i] = {0, now, true};
      decide |= policy_.wake(entities_[i], Instant(now), Waker::Interrupt) == Wakeup::Decide;
    }
    if (decide) pick(now, Cause::Interrupt);
  }

  void begin_section(Ticks now) {
    const int chosen = running();
    if (chosen == kNobody) return;
    const auto who = static_cast<std::size_t>(chosen);
    if (!in_section(set_.tasks[who], jobs_[who]) || holds_[who]) return;
    holds_[who] = true;
    const auto ceiling = ceilings_[static_cast<std::size_t>(set_.tasks[who].lock)];
    policy_.raise(entities_[who], ceiling, Instant(now), Instant(now + kHorizon));
  }

  void execute(Ticks now) {
    const int chosen = running();
    outcome_.who.push_back(chosen);
    if (chosen == kNobody) return;
    const auto who = static_cast<std::size_t>(chosen);
    look(set_, jobs_, holds_, chosen, outcome_);
    Job& job = jobs_[who];
    ++job.done;
    const Instant end(now + 1);
    const bool released = holds_[who] && !in_section(set_.tasks[who], job);
    const bool done = job.done == set_.tasks[who].budget;
    if (released) {
      holds_[who] = false;
      policy_.lower(entities_[who], slots_[who], end);
    }
    if (done) {
      job.ready = false;
      outcome_.missed |= now + 1 > job.release + set_.tasks[who].deadline;
      policy_.block(entities_[who], end);
      pick(now + 1, Cause::Stop);
    } else if (released) {
      pick(now + 1, Cause::Call);
    }
  }

  const Set& set_;
  std::vector<Job> jobs_;
  std::vector<bool> holds_;
  std::vector<Policy::Slot> slots_;
  std::vector<Policy::Slot> ceilings_;
  Policy policy_;
  Policy::Entity entities_[8];
  Outcome outcome_;
};

std::string text(const Set& set) {
  std::string all;
  for (const Task& t : set.tasks) {
    for (const Ticks number :
         {t.budget, t.period, t.deadline, t.phase, Ticks{t.lock}, t.begin, t.length}) {
      all += std::to_string(number) + " ";
    }
    all += "\n";
  }
  return all;
}

TEST(DeadlineLocks, WhatIsAdmittedIsInTimeAndNobodyIntrudes) {
  int looked_at = 0, held_up = 0;
  for (std::uint64_t seed = 0; seed < 20'000; ++seed) {
    const Set set = draw(seed);
    if (!admitted(set, true).accepted) {
      held_up += admitted(set, false).accepted;
      continue;
    }
    ++looked_at;
    const Outcome slow = run_slowly(set);
    const Outcome kernel = KernelRun(set).run();
    ASSERT_FALSE(slow.missed) << seed << "\n" << text(set);
    ASSERT_FALSE(slow.intruded) << seed << "\n" << text(set);
    ASSERT_FALSE(kernel.missed) << seed << "\n" << text(set);
    ASSERT_FALSE(kernel.intruded) << seed << "\n" << text(set);
    ASSERT_EQ(slow.who, kernel.who) << seed << "\n" << text(set);
  }
  EXPECT_GT(looked_at, 3000);
  EXPECT_GT(held_up, 300);  // their sections are what refuses them
}

/// Without the floor somebody would have run who shares the lock: the test above can fail.
TEST(DeadlineLocks, WithoutCeilingsOthersIntrude) {
  int intruded = 0;
  for (std::uint64_t seed = 0; seed < 2'000; ++seed) {
    Set set = draw(seed);
    if (!admitted(set, true).accepted) continue;
    Set without = set;
    without.locks = 0;
    for (Task& task : without.tasks) task.lock = kNoLock;
    const std::vector<int> who = run_slowly(without).who;
    std::vector<Job> jobs(set.tasks.size());
    for (Ticks now = 0; now < static_cast<Ticks>(who.size()); ++now) {
      for (std::size_t i = 0; i < jobs.size(); ++i) {
        const Task& task = set.tasks[i];
        if (now >= task.phase && (now - task.phase) % task.period == 0) jobs[i] = {0, now, true};
      }
      const int chosen = who[static_cast<std::size_t>(now)];
      if (chosen == kNobody) continue;
      const auto running = static_cast<std::size_t>(chosen);
      for (std::size_t i = 0; i < jobs.size(); ++i) {
        const bool held = in_section(set.tasks[i], jobs[i]) && jobs[i].done > set.tasks[i].begin;
        intruded += held && i != running && set.tasks[i].lock == set.tasks[running].lock;
      }
      ++jobs[running].done;
    }
  }
  EXPECT_GT(intruded, 100);
}

}  // namespace
}  // namespace hocket::test
