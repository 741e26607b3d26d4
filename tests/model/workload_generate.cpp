// Random workloads that are admitted.
#include <algorithm>
#include <array>
#include <cmath>

#include "generate.h"
#include "workload.h"

namespace hocket::test {
namespace {

Costs draw_costs(Random& random) {
  Costs c;
  const Ticks most = random.chance(0.5) ? 3 : 10;
  c.entry = random.between(0, most);
  c.change = random.between(0, most);
  c.interrupt = c.entry + random.between(0, most);
  c.lateness = random.between(0, 4);
  c.several_cores = random.chance(0.5);
  // A section holds the whole of an interrupt or of a call: what it is declared to be, or more.
  c.masked = std::max({c.entry + c.change, c.change + 1, c.interrupt}) +
             (random.chance(0.3) ? 0 : random.between(0, most));
  return c;
}

/// The largest budget with which everybody is still admitted.
void ask_for_all_that_is_left(Workload& set, std::size_t rank) {
  for (Ticks step = set.servers[rank].period; step > 0; step /= 2) {
    set.servers[rank].budget += step;
    if (!bounds_of(set)) set.servers[rank].budget -= step;
  }
}

void draw_servers(Workload& set, Random& random) {
  const auto count = static_cast<std::size_t>(random.between(1, 6));
  const Ticks least = std::max<Ticks>(1, set.costs.overrun());
  const Ticks longest = random.chance(0.5) ? 400 : 2500;
  std::vector<Ticks> periods;
  for (std::size_t i = 0; i < count; ++i) periods.push_back(random.between(40, longest));
  std::sort(periods.begin(), periods.end());
  const std::vector<double> shares = uunifast(random, count, 0.2 + 0.8 * random.unit());
  for (std::size_t i = 0; i < count; ++i) {
    WorkServer s;
    s.period = periods[i];
    const auto share = static_cast<Ticks>(shares[i] * static_cast<double>(s.period));
    s.budget = random.chance(0.1) ? least : std::max(least, share - set.costs.allowance());
    set.servers.push_back(s);
  }
  while (!set.servers.empty() && !bounds_of(set)) {  // less for everybody, then fewer
    bool less = false;
    for (WorkServer& s : set.servers) {
      less |= s.budget > least;
      s.budget = std::max(least, s.budget * 9 / 10);
    }
    if (!less) set.servers.pop_back();
  }
  if (!set.servers.empty() && random.chance(0.7))
    ask_for_all_that_is_left(set, set.servers.size() - 1);
}

void draw_nap(Body& b, Random& random, const WorkServer& s) {
  b.wait = Body::Wait::Nap;
  b.nap_most = random.chance(0.5) ? random.between(1, 4) : random.between(1, s.period);
  b.nap_least = random.chance(0.5) ? b.nap_most : 1;
  if (random.chance(0.2)) b.work_most = 2 * s.budget;
}

void draw_event(Body& b, Random& random, const WorkServer& s, bool several_cores) {
  b.wait = Body::Wait::Event;
  b.other_core = several_cores && random.chance(0.8) ? 1 : 0;
  if (random.chance(0.4)) {  // sporadic, of a work that is promised in time
    b.gap_least = s.period;
    b.gap_most = s.period + (random.chance(0.5) ? 0 : random.between(0, s.period / 2));
    b.work_least = b.work_most = s.budget;
  } else {
    b.gap_least = random.between(1, 5);
    b.gap_most = b.gap_least + (random.chance(0.5) ? 0 : random.between(0, s.period));
  }
}

Body draw_body(Random& random, const WorkServer& s, const Costs& costs) {
  Body b;
  b.work_most = random.between(1, random.chance(0.5) ? 3 : std::max<Ticks>(1, s.budget / 3));
  b.phase = random.chance(0.5) ? 0 : random.between(0, s.period);
  const Ticks kind = random.between(0, 9);
  if (kind <= 3) {
    draw_nap(b, random, s);
  } else if (kind <= 5) {
    b.work_least = b.work_most =
        random.between(1, random.chance(0.5) ? costs.masked + 4 : 2 * s.budget);
  } else if (kind <= 7) {
    b.wait = Body::Wait::Period;
    b.work_most = s.budget;
    b.work_least = random.chance(0.8) ? s.budget : 1;
  } else {
    draw_event(b, random, s, costs.several_cores);
  }
  return b;
}

void draw_calls(Workload& set, Random& random, std::size_t i) {
  Body& b = set.servers[i].body;
  const auto other =
      static_cast<std::size_t>(random.between(0, static_cast<Ticks>(set.servers.size()) - 1));
  if (random.chance(b.wait == Body::Wait::Never ? 0.8 : 0.4) && other != i &&
      set.servers[other].body.wait == Body::Wait::Event) {
    b.wakes = static_cast<Ticks>(other);
  }
  if (i > 0 && random.chance(0.2)) {
    b.hold = random.between(1, std::clamp<Ticks>(set.servers[i].budget / 2, 1, 20));
    b.ceiling = random.between(0, static_cast<Ticks>(i) - 1);
    if (!bounds_of(set)) b.hold = 0;
  }
}

/// Somebody whom only other threads wake.
void let_somebody_be_woken(Workload& set, Random& random) {
  const Ticks last = static_cast<Ticks>(set.servers.size()) - 1;
  Body& b = set.servers[static_cast<std::size_t>(random.between(0, last))].body;
  b.wait = Body::Wait::Event;
  b.gap_least = b.gap_most = b.other_core = 0;
  b.work_least = 1;
}

/// False: nobody of those drawn can be admitted.
bool draw_mixed(Workload& set, Random& random) {
  set.costs = draw_costs(random);
  draw_servers(set, random);
  if (set.servers.empty()) return false;
  for (WorkServer& s : set.servers) s.body = draw_body(random, s, set.costs);
  if (random.chance(0.5)) let_somebody_be_woken(set, random);
  for (std::size_t i = 0; i < set.servers.size(); ++i) draw_calls(set, random, i);
  WorkServer& last = set.servers.back();
  if (random.chance(0.7)) {
    last.body = {};
    if (random.chance(0.5)) last.body.wait = Body::Wait::Period;
    last.body.work_least = last.body.work_most = last.budget;
  }
  set.horizon = 10 * last.period;
  return true;
}

WorkServer server_of(Ticks budget, Ticks period, const Body& body) {
  WorkServer s;
  s.budget = budget;
  s.period = period;
  s.body = body;
  return s;
}

bool draw_callers(Workload& set, Random& random) {
  Costs& c = set.costs;
  c.entry = c.interrupt = random.between(2, 12);
  c.change = random.between(0, 3);
  c.lateness = random.between(0, 2);
  c.masked = c.entry + c.change + random.between(0, 4);
  Body naps;
  naps.wait = Body::Wait::Nap;
  naps.work_most = random.between(1, 4);
  naps.nap_most = random.between(1, 80);
  Body calls;
  calls.work_most = c.masked + random.between(1, 4);
  calls.wakes = 2;
  Body woken;
  woken.wait = Body::Wait::Event;
  const Ticks least = c.overrun();
  set.servers = {server_of(least + random.between(0, 20), random.between(150, 300), naps),
                 server_of(least + random.between(0, 80), random.between(300, 600), calls),
                 server_of(least, 2000, woken)};
  set.horizon = 6000;
  return bounds_of(set).has_value();
}

/// One more, which asks for all that is left and works for as long, for so many of its periods.
/// False: there is no room for it.
bool add_victim(Workload& set, Random& random, Ticks period, Ticks periods) {
  set.servers.push_back(server_of(std::max<Ticks>(1, set.costs.overrun()), period, {}));
  if (!bounds_of(set)) return false;
  ask_for_all_that_is_left(set, set.servers.size() - 1);
  WorkServer& victim = set.servers.back();
  if (random.chance(0.5)) victim.body.wait = Body::Wait::Period;
  victim.body.work_least = victim.body.work_most = victim.budget;
  set.horizon = periods * victim.period;
  return true;
}

bool draw_other_core(Workload& set, Random& random) {
  set.costs = draw_costs(random);
  set.costs.several_cores = true;
  set.costs.interrupt += random.between(0, 10);
  set.costs.masked = std::max(set.costs.masked, set.costs.interrupt);
  const Ticks least = std::max<Ticks>(1, set.costs.overrun());
  for (Ticks above = random.between(1, 3); above-- > 0;) {
    Body woken;
    woken.wait = Body::Wait::Event;
    woken.other_core = 1;
    woken.gap_least = 1;
    woken.gap_most = random.between(1, 20);
    woken.work_most = random.between(1, 3);
    set.servers.push_back(
        server_of(least + random.between(0, 40), random.between(100, 400), woken));
  }
  std::sort(set.servers.begin(), set.servers.end(),
            [](const WorkServer& a, const WorkServer& b) { return a.period < b.period; });
  return add_victim(set, random, random.between(400, 2000), 10);
}

bool draw_nearly_full(Workload& set, Random& random) {
  set.costs = draw_costs(random);
  const Ticks least = std::max<Ticks>(1, set.costs.overrun());
  set.servers = {server_of(least, random.between(300, 4000), {})};
  if (!bounds_of(set)) return false;
  ask_for_all_that_is_left(set, 0);
  WorkServer& victim = set.servers[0];
  victim.body.wait = Body::Wait::Period;
  victim.body.work_most = victim.budget;
  victim.body.work_least =
      std::max<Ticks>(1, victim.budget - random.between(0, victim.period / 32));
  set.horizon = 10 * victim.period;
  return true;
}

/// What an I/O virtual CPU does for an edge, and when the next one comes.
Body draw_bottom_half(Random& random, const WorkServer& s) {
  Body b;
  b.wait = Body::Wait::Event;
  b.phase = random.chance(0.3) ? 0 : random.between(0, s.period);
  const Ticks size =
      random.between(0, 9);  // small ones, up to a budget, several budgets, very many
  const Ticks budgets = size < 9 ? 3 : 40;
  b.work_most = random.between(1, size < 5 ? 4 : size < 8 ? s.budget : budgets * s.budget);
  b.work_least = random.chance(0.5) ? b.work_most : 1;
  const Ticks kind = random.between(0, 3);  // a storm, sparse ones, all kinds, just a period apart
  b.gap_most = kind == 0 ? random.between(0, 3) : random.between(0, 2 * s.period);
  b.gap_least = kind == 1 ? b.gap_most : 0;
  if (kind == 3) b.gap_least = b.gap_most = s.period;
  return b;
}

bool draw_edges(Workload& set, Random& random) {
  set.costs = draw_costs(random);
  draw_servers(set, random);
  if (set.servers.empty()) return false;
  const auto last = set.servers.size() - 1;
  for (std::size_t i = 0; i < set.servers.size(); ++i) {
    WorkServer& s = set.servers[i];
    s.io = random.chance(last == 0 || i < last ? 0.5 : 0.1) ? 1 : 0;
    if (s.io == 0) continue;
    s.top_half = set.costs.interrupt + random.between(0, 8);
    set.costs.masked =
        std::max({set.costs.masked, s.top_half,
                  set.costs.entry + s.top_half - set.costs.interrupt + set.costs.change});
    if (random.chance(0.3)) s.budget = random.between(1, s.budget);
  }
  while (!bounds_of(set)) {  // less for everybody, as far as it goes
    bool less = false;
    for (WorkServer& s : set.servers) {
      const Ticks least = s.io != 0 ? 1 : std::max<Ticks>(1, set.costs.overrun());
      less |= s.budget > least;
      s.budget = std::max(least, s.budget * 9 / 10);
    }
    if (!less) return false;
  }
  if (set.servers[last].io == 0 && random.chance(0.7)) ask_for_all_that_is_left(set, last);
  for (WorkServer& s : set.servers) {
    s.body = s.io != 0 ? draw_bottom_half(random, s) : draw_body(random, s, set.costs);
  }
  for (std::size_t i = 0; i < set.servers.size(); ++i) {  // handlers
    WorkServer& s = set.servers[i];
    if (s.io == 0 || random.chance(0.3)) continue;
    const auto other = static_cast<std::size_t>(random.between(0, static_cast<Ticks>(last)));
    Body& b = set.servers[other].body;
    if (set.servers[other].io != 0) continue;
    s.body.wakes = static_cast<Ticks>(other);
    b = {};
    b.wait = Body::Wait::Event;
    b.work_most = random.between(1, random.chance(0.5) ? 3 : set.servers[other].budget);
  }
  WorkServer& victim = set.servers[last];
  if (victim.io == 0 && victim.body.wait != Body::Wait::Event) {
    victim.body = {};
    if (random.chance(0.5)) victim.body.wait = Body::Wait::Period;
    victim.body.work_least = victim.body.work_most = victim.budget;
  }
  set.horizon = 10 * victim.period;
  return true;
}

/// Timers are far later than the kernel takes, so that locks are taken while somebody is due.
bool draw_holders(Workload& set, Random& random) {
  set.costs = {};
  set.costs.lateness = random.between(2, 12);
  set.costs.masked = 1;
  const Ticks least = set.costs.overrun();
  Body victim;
  victim.wait = Body::Wait::Period;
  victim.work_least = victim.work_most = least;
  Body naps;
  naps.wait = Body::Wait::Nap;
  naps.work_most = random.between(1, 5);
  naps.nap_least = random.between(1, 40);
  naps.nap_most = naps.nap_least + random.between(0, 60);
  Body holds;
  holds.work_most = random.between(20, 60);
  holds.hold = random.between(5, 25);
  holds.ceiling = 1;
  set.servers = {server_of(least, random.between(60, 120), victim),
                 server_of(least, random.between(150, 300), naps),
                 server_of(3 * least, random.between(300, 600), holds)};
  set.horizon = 6000;
  return bounds_of(set).has_value();
}

/// In order: all equal, powers of two apart, or random.
std::vector<Ticks> draw_periods(Random& random, std::size_t count, Ticks shortest) {
  const Ticks kind = random.between(0, 2);
  std::vector<Ticks> periods;
  for (std::size_t i = 0; i < count; ++i) {
    const Ticks harmonic = shortest << random.between(0, 2);
    periods.push_back(kind == 0   ? shortest
                      : kind == 1 ? harmonic
                                  : random.between(shortest, 4 * shortest));
  }
  std::sort(periods.begin(), periods.end());
  return periods;
}

/// Some of the many do the bottom halves of interrupts.
void draw_some_io(Workload& set, Random& random) {
  for (Ticks some = random.between(1, 3); some-- > 0;) {
    const Ticks last = static_cast<Ticks>(set.servers.size()) - 1;
    WorkServer& s = set.servers[static_cast<std::size_t>(random.between(0, last))];
    s.io = 1;
    s.top_half = set.costs.interrupt + random.between(0, 4);
    set.costs.masked =
        std::max({set.costs.masked, s.top_half,
                  set.costs.entry + s.top_half - set.costs.interrupt + set.costs.change});
  }
}

/// Bodies, of which some mask interrupts, for as long as the kernel does at most.
void draw_bodies_of_many(Workload& set, Random& random) {
  const bool masks = random.chance(0.6);
  for (WorkServer& s : set.servers) {
    if (s.io != 0) {
      s.body = draw_bottom_half(random, s);
      continue;
    }
    s.body = draw_body(random, s, set.costs);
    if (s.turns != 0) s.body.work_most = std::max(s.body.work_least, 4 * s.period);
    if (masks && random.chance(0.3)) {
      s.body.masks = random.between(1, set.costs.masked);
      s.body.work_most = std::max(s.body.work_most, s.body.masks);
    }
  }
  for (Ticks callers = random.between(0, 3); callers-- > 0;) {
    const Ticks last = static_cast<Ticks>(set.servers.size()) - 1;
    const auto caller = static_cast<std::size_t>(random.between(0, last));
    if (set.servers[caller].io == 0 && set.servers[caller].turns == 0)
      draw_calls(set, random, caller);
  }
  for (WorkServer& s : set.servers) {
    Body& b = s.body;
    if (b.wakes >= 0 && set.servers[static_cast<std::size_t>(b.wakes)].io != 0) b.wakes = -1;
    if (s.io != 0 || b.gap_least == 0) continue;
    b.gap_least = std::max(b.gap_least, static_cast<Ticks>(set.servers.size()));
    b.gap_most = std::max(b.gap_most, b.gap_least);  // what all of them want is to be little
  }
}

bool draw_many(Workload& set, Random& random) {
  set.costs = draw_costs(random);
  constexpr std::size_t kMany = 255;
  const double most = random.chance(0.5) ? 16 : kMany;
  auto count = static_cast<std::size_t>(2 * std::pow(most / 2, random.unit()));
  // By deadlines some may have none, and take turns in what the others leave.
  const std::size_t turns =
      set.by_deadline && random.chance(0.4) ? std::min(1 + count / 4, kMany - count) : 0;
  const Ticks least = std::max<Ticks>(1, set.costs.overrun());
  const Ticks each = least + set.costs.allowance() + set.costs.overrun();
  const double share = 0.3 + 0.6 * random.unit();
  const auto shortest =
      static_cast<Ticks>(static_cast<double>(each) * static_cast<double>(count) / share) + 40;
  for (const Ticks period : draw_periods(random, count, random.between(shortest, 2 * shortest))) {
    WorkServer s;
    s.period = period;
    const double part = share * static_cast<double>(shortest) / static_cast<double>(count);
    s.budget = std::max(least, static_cast<Ticks>(part * random.unit()) - set.costs.allowance());
    set.servers.push_back(s);
  }
  if (random.chance(0.4)) draw_some_io(set, random);
  for (int tries = 0; !bounds_of(set); ++tries) {
    if (tries > 8) return false;
    for (WorkServer& s : set.servers) s.budget = std::max(s.io != 0 ? 1 : least, s.budget * 2 / 3);
  }
  const std::size_t last = set.servers.size() - 1;
  if (set.servers[last].io == 0 && random.chance(0.5)) ask_for_all_that_is_left(set, last);
  for (std::size_t i = 0; i < turns; ++i) {
    WorkServer s;
    s.turns = 1;
    s.period = random.between(20, 400);
    set.servers.push_back(s);
  }
  draw_bodies_of_many(set, random);
  set.horizon = (count > 32 ? 3 : 10) * set.servers[last].period;
  return bounds_of(set).has_value();
}

/// (Who is due a little later, and has as much budget as that, might have been due earlier.)
bool draw_behind(Workload& set, Random& random) {
  Costs& c = set.costs;
  c.entry = random.between(0, 2);
  c.change = random.between(0, 2);
  c.interrupt = c.entry + random.between(1, 10);
  c.lateness = random.between(0, 2);
  c.masked = std::max(c.interrupt, c.entry + c.change + 1);
  c.several_cores = random.chance(0.2);
  const Ticks least = std::max<Ticks>(1, c.overrun());
  Body works;
  works.wait = Body::Wait::Period;
  const Ticks period = least + random.between(60, 200);
  works.work_most = std::max(least, period / random.between(3, 6));
  const Ticks later = random.between(period / 4, 2 * period);
  Body naps;
  naps.wait = Body::Wait::Nap;
  naps.work_most = random.between(1, period);
  naps.work_least = random.chance(0.5) ? naps.work_most : 1;
  naps.nap_most = random.between(1, works.work_most);
  set.servers = {server_of(works.work_most, period, works),
                 server_of(std::max(least, later), period + later, naps)};
  // So long that what comes once is little of it.
  return add_victim(set, random, random.between(15, 60) * period, 3);
}

}  // namespace

Workload generate_workload(std::uint64_t seed, Family family, bool by_deadline) {
  constexpr std::array kDraw{draw_mixed, draw_callers, draw_other_core, draw_nearly_full,
                             draw_edges, draw_holders, draw_many,       draw_behind};
  constexpr std::array kChoice{Weather::Longest, Weather::Random, Weather::Random,
                               Weather::Extremes, Weather::None};
  for (std::uint64_t attempt = 0;; ++attempt) {
    Random random(seed * 2654435761u + attempt * 40503u + 17);
    Workload set;
    set.seed = static_cast<Ticks>(seed);
    set.by_deadline = by_deadline;
    set.weather = kChoice[static_cast<std::size_t>(random.between(0, kChoice.size() - 1))];
    set.finest = random.chance(0.5) ? 256 : 64;
    set.refills = random.chance(0.5) ? 16 : 3;
    if (kDraw[static_cast<std::size_t>(family)](set, random)) return set;
  }
}

}  // namespace hocket::test
