// Random task sets.
#include "generate.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "stable_order.h"

namespace hocket::test {
namespace {

/// How one server's work arrives.
enum class Habit { Spins, Exact, EarlyDone, Overloads, Bursts, Suspends, Naps, Sporadic, Silent };

Habit draw_habit(Random& random, Profile profile) {
  if (profile == Profile::Naps && random.chance(0.6)) return Habit::Naps;
  constexpr std::array kHabits{Habit::Spins,     Habit::Exact,    Habit::Exact,    Habit::EarlyDone,
                               Habit::Overloads, Habit::Bursts,   Habit::Bursts,   Habit::Suspends,
                               Habit::Suspends,  Habit::Suspends, Habit::Sporadic, Habit::Silent};
  return kHabits[static_cast<std::size_t>(random.between(0, kHabits.size() - 1))];
}

void add_periodic(TaskSet& set, std::size_t server, Ticks phase, Random& random, Ticks least,
                  Ticks most) {
  for (Ticks at = phase; at < set.horizon; at += set.servers[server].period) {
    set.works.push_back({server, at, random.between(least, most)});
  }
}

void add_irregular(TaskSet& set, std::size_t server, Ticks phase, Random& random, Ticks largest_gap,
                   Ticks largest_amount) {
  for (Ticks at = phase; at < set.horizon; at += random.between(1, largest_gap)) {
    set.works.push_back({server, at, random.between(1, largest_amount)});
  }
}

void add_work(TaskSet& set, std::size_t server, Habit habit, Random& random) {
  const ServerSpec& s = set.servers[server];
  const Ticks phase = random.chance(0.4) ? 0 : random.between(0, 2 * s.period);
  switch (habit) {
    case Habit::Spins:
      set.works.push_back({server, phase, set.horizon});
      break;
    case Habit::Exact:
      add_periodic(set, server, phase, random, s.budget, s.budget);
      break;
    case Habit::EarlyDone:
      add_periodic(set, server, phase, random, 1, s.budget);
      break;
    case Habit::Overloads:
      add_periodic(set, server, phase, random, 1, 2 * s.budget);
      break;
    case Habit::Bursts:
      add_irregular(set, server, phase, random, 3 * s.period, 3 * s.budget);
      break;
    case Habit::Suspends:  // little pieces with little gaps: refills crumble and lists fill up
      add_irregular(set, server, phase, random, std::max<Ticks>(2, s.period / 4),
                    std::max<Ticks>(1, s.budget / 3));
      break;
    case Habit::Naps:  // little pieces, each a few 256ths of a period after the last one's end
      for (Ticks at = phase; at < set.horizon;) {
        const Ticks amount = random.between(1, std::max<Ticks>(1, s.budget / 4));
        set.works.push_back({server, at, amount});
        at += amount + (random.chance(0.1) ? random.between(1, s.period)
                                           : random.between(0, std::max<Ticks>(1, s.period / 100)));
      }
      break;
    case Habit::Sporadic:
      for (Ticks at = phase; at < set.horizon; at += s.period + random.between(0, s.period)) {
        set.works.push_back({server, at, random.between(1, s.budget)});
      }
      break;
    case Habit::Silent:
      break;
  }
}

void sort_works(TaskSet& set) {
  std::erase_if(set.works, [&](const Work& w) { return w.at >= set.horizon; });
  sort_stably(set.works, [](const Work& a, const Work& b) { return a.at < b.at; });
}

std::vector<Ticks> draw_periods(Random& random, std::size_t count, Profile profile) {
  std::vector<Ticks> periods;
  if (profile == Profile::Naps) {  // from 256 on, a head can move without being put down
    while (periods.size() < count) periods.push_back(random.between(200, 1200));
    return periods;
  }
  const bool harmonic = random.chance(0.35);
  const Ticks base = random.between(4, 12);
  const Ticks longest = random.chance(0.3) ? 25 : 120;
  for (std::size_t i = 0; i < count; ++i) {
    periods.push_back(harmonic ? base << random.between(0, 4) : random.between(4, longest));
  }
  return periods;
}

/// Periods that differ, so that no scheduler has to break a tie of ranks.
std::vector<Ticks> draw_distinct_periods(Random& random, std::size_t count) {
  std::vector<Ticks> periods;
  while (periods.size() < count) {
    const Ticks period = random.between(4, 100);
    if (std::find(periods.begin(), periods.end(), period) == periods.end())
      periods.push_back(period);
  }
  return periods;
}

/// Periods that divide 240 or 252: hyperperiods stay small, yet not harmonic.
std::vector<Ticks> draw_admission_periods(Random& random, std::size_t count) {
  constexpr std::array<Ticks, 12> kPeriods{4, 5, 6, 8, 10, 12, 15, 16, 20, 24, 30, 48};
  constexpr std::array<Ticks, 12> kOthers{4, 6, 7, 9, 12, 14, 18, 21, 28, 36, 42, 63};
  const auto& choice = random.chance(0.5) ? kPeriods : kOthers;
  std::vector<Ticks> periods;
  for (std::size_t i = 0; i < count; ++i) {
    periods.push_back(choice[static_cast<std::size_t>(random.between(0, choice.size() - 1))]);
  }
  return periods;
}

void add_servers(TaskSet& set, Random& random, const std::vector<Ticks>& periods, double load,
                 double constrained_deadline) {
  const std::vector<double> shares = uunifast(random, periods.size(), load);
  for (std::size_t i = 0; i < periods.size(); ++i) {
    ServerSpec s;
    s.name = "s" + std::to_string(i);
    s.period = periods[i];
    const double exact = shares[i] * static_cast<double>(s.period);
    s.budget = std::clamp<Ticks>(static_cast<Ticks>(std::lround(exact)), 1, s.period);
    s.deadline =
        random.chance(constrained_deadline) ? random.between(s.budget, s.period) : s.period;
    set.servers.push_back(s);
  }
}

void make_servers_special(TaskSet& set, Random& random) {
  for (ServerSpec& s : set.servers) {
    if (random.chance(0.35)) s.max_refills = random.between(2, 4);
  }
  if (random.chance(0.2)) {
    set.servers[static_cast<std::size_t>(
                    random.between(0, static_cast<Ticks>(set.servers.size()) - 1))]
        .background = true;
  }
}

}  // namespace

std::uint64_t Random::bits() {
  state_ += 0x9e3779b97f4a7c15u;
  std::uint64_t z = state_;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

Ticks Random::between(Ticks least, Ticks most) {
  const auto span = static_cast<std::uint64_t>(most - least) + 1;
  return least + static_cast<Ticks>(bits() % span);
}

double Random::unit() {
  return static_cast<double>(bits() >> 11) * 0x1.0p-53;
}

std::vector<double> uunifast(Random& random, std::size_t count, double total) {
  std::vector<double> shares;
  for (std::size_t left = count; left > 1; --left) {
    const double rest = total * std::pow(random.unit(), 1.0 / static_cast<double>(left - 1));
    shares.push_back(total - rest);
    total = rest;
  }
  if (count > 0) shares.push_back(total);
  return shares;
}

TaskSet generate(std::uint64_t seed, Profile profile) {
  Random random(seed * 8 + static_cast<std::uint64_t>(profile));
  TaskSet set;
  if (profile == Profile::Admission) {
    const auto count = static_cast<std::size_t>(random.between(1, 4));
    set.horizon = 1;
    add_servers(set, random, draw_admission_periods(random, count), 0.6 + 0.6 * random.unit(), 0.4);
    return set;
  }
  const auto count = static_cast<std::size_t>(random.between(1, profile == Profile::Naps ? 4 : 8));
  if (profile == Profile::Periodic) {
    const std::vector<Ticks> periods = draw_distinct_periods(random, count);
    set.horizon = 6 * *std::max_element(periods.begin(), periods.end());
    add_servers(set, random, periods, 0.3 + 0.7 * random.unit(), 0.0);
    const bool together = random.chance(0.4);
    for (std::size_t i = 0; i < count; ++i) {
      const Ticks phase = together ? 0 : random.between(0, set.servers[i].period - 1);
      add_periodic(set, i, phase, random, set.servers[i].budget, set.servers[i].budget);
    }
    sort_works(set);
    return set;
  }
  const std::vector<Ticks> periods = draw_periods(random, count, profile);
  set.horizon = random.between(4, 9) * *std::max_element(periods.begin(), periods.end()) + 20;
  add_servers(set, random, periods, 0.25 + 0.75 * random.unit(), 0.3);
  make_servers_special(set, random);
  if (profile == Profile::Io) {
    for (ServerSpec& s : set.servers) s.io = random.chance(0.5);
  }
  const bool may_be_late = profile == Profile::Mixed || profile == Profile::Io;
  if (may_be_late && random.chance(0.5)) set.late = random.between(1, 4);
  for (std::size_t i = 0; i < count; ++i) add_work(set, i, draw_habit(random, profile), random);
  sort_works(set);
  return set;
}

TaskSet misbehave(const TaskSet& set, std::size_t server, std::uint64_t seed) {
  Random random(seed);
  TaskSet changed = set;
  std::erase_if(changed.works, [&](const Work& w) { return w.server == server; });
  constexpr std::array kWays{Habit::Spins,    Habit::Overloads, Habit::Bursts,
                             Habit::Suspends, Habit::Naps,      Habit::Silent};
  const auto way = static_cast<std::size_t>(random.between(0, kWays.size() - 1));
  add_work(changed, server, kWays[way], random);
  sort_works(changed);
  return changed;
}

}  // namespace hocket::test
