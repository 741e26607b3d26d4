// Running many random sets against one engine, and showing a small set when one fails.
#pragma once

#include <gtest/gtest.h>

#include <map>

#include "generate.h"
#include "properties.h"
#include "response_time.h"

namespace hocket::test {

/// Runs check() on `count` sets. The first one that breaks a property fails the test with its
/// violations and a shrunk set that breaks the same property.
///
/// `count` here and below is of the suite; `hocket self-test --long` runs twenty times as many.
void expect_properties(const Engine& engine, Profile profile, std::uint64_t first_seed, int count,
                       Coverage& coverage);

/// Runs check_isolation() on `count` sets, a random server of each gone wrong; fails as above.
void expect_isolation(const Engine& engine, Profile profile, std::uint64_t first_seed, int count,
                      Coverage& coverage);

/// Expects equal traces on `count` sets; fails with the first difference in a shrunk set.
void expect_equal(const Engine& expected, const Engine& actual, Profile profile,
                  std::uint64_t first_seed, int count);

/// Costs drawn from 0 up to `most`'s, in ticks: each is 0 in three of ten draws. Top halves and
/// handlers are the caller's to add.
Account draw_costs(Random& random, const Account& most);

/// Of `count` sets, how many break each property under the engine.
std::map<std::string, int> count_violations(const Engine& engine, Profile profile,
                                            std::uint64_t first_seed, int count);

}  // namespace hocket::test
