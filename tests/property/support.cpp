// Loops over seeds; shrinks what fails.
#include "support.h"

#include <algorithm>
#include <cstdlib>
#include <set>

#include "shrink.h"

namespace hocket::test {
namespace {

/// Sets to run where the suite runs `count`.
int sets(int count) {
  static const bool long_campaign = std::getenv("HOCKET_LONG") != nullptr;
  return long_campaign ? 20 * count : count;
}

using Check = std::function<std::vector<Violation>(const TaskSet&, Coverage&)>;

bool breaks(const std::vector<Violation>& violations, const std::string& property) {
  return std::any_of(violations.begin(), violations.end(),
                     [&](const Violation& v) { return v.property == property; });
}

/// False, and the test has failed, when the set breaks a property.
bool expect_none(const TaskSet& set, std::uint64_t seed, const Check& check_one,
                 Coverage& coverage) {
  const std::vector<Violation> violations = check_one(set, coverage);
  if (violations.empty()) return true;
  Coverage ignored;
  const std::string property = violations.front().property;
  const TaskSet small = shrink(set, [&](const TaskSet& s) {
    return !s.servers.empty() && breaks(check_one(s, ignored), property);
  });
  ADD_FAILURE() << "seed " << seed << " breaks a property\n"
                << print(violations) << "small set with the same failure:\n"
                << print(small) << print(check_one(small, ignored));
  return false;
}

Check isolation_of(const Engine& engine, std::uint64_t seed) {
  return [&engine, seed](const TaskSet& set, Coverage& coverage) {
    return check_isolation(set, engine, seed % set.servers.size(), seed, coverage);
  };
}

}  // namespace

void expect_properties(const Engine& engine, Profile profile, std::uint64_t first_seed, int count,
                       Coverage& coverage) {
  const Check check_one = [&](const TaskSet& set, Coverage& c) {
    return check(set, engine(set), c);
  };
  for (std::uint64_t seed = first_seed, end = seed + sets(count); seed < end; ++seed) {
    if (!expect_none(generate(seed, profile), seed, check_one, coverage)) return;
  }
}

void expect_isolation(const Engine& engine, Profile profile, std::uint64_t first_seed, int count,
                      Coverage& coverage) {
  for (std::uint64_t seed = first_seed, end = seed + sets(count); seed < end; ++seed) {
    if (!expect_none(generate(seed, profile), seed, isolation_of(engine, seed), coverage)) return;
  }
}

void expect_equal(const Engine& expected, const Engine& actual, Profile profile,
                  std::uint64_t first_seed, int count) {
  for (std::uint64_t seed = first_seed, end = seed + sets(count); seed < end; ++seed) {
    const TaskSet set = generate(seed, profile);
    if (expected(set) == actual(set)) continue;
    const TaskSet small = shrink(set, [&](const TaskSet& s) { return expected(s) != actual(s); });
    ADD_FAILURE() << "seed " << seed << ": the traces differ; small set that shows it:\n"
                  << print(small) << first_difference(small, expected(small), actual(small));
    return;
  }
}

Account draw_costs(Random& random, const Account& most) {
  const auto draw = [&](Ticks of) { return random.chance(0.3) ? 0 : random.between(0, of); };
  Account account;
  account.entry = draw(most.entry);
  account.switching = draw(most.switching);
  account.interrupt = draw(most.interrupt);
  account.lateness = draw(most.lateness);
  account.masked = draw(most.masked);
  account.blocking = draw(most.blocking);
  account.lock = draw(most.lock);
  account.several_cores = random.chance(0.5);
  return account;
}

std::map<std::string, int> count_violations(const Engine& engine, Profile profile,
                                            std::uint64_t first_seed, int count) {
  Coverage ignored;
  std::map<std::string, int> broken;
  for (std::uint64_t seed = first_seed; count-- > 0; ++seed) {
    const TaskSet set = generate(seed, profile);
    std::set<std::string> properties;
    for (const Violation& v : check(set, engine(set), ignored)) properties.insert(v.property);
    for (const std::string& property : properties) ++broken[property];
  }
  return broken;
}

}  // namespace hocket::test
