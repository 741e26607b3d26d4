// The kernel's admission test against brute force.
#include "admission_adapter.h"
#include "brute_force.h"
#include "support.h"

namespace hocket::test {
namespace {

TEST(KernelAdmission, AcceptsExactlyWhatNeverMisses) {
  int accepted = 0, refused = 0;
  for (std::uint64_t seed = 20'000; seed < 24'000; ++seed) {
    const TaskSet set = generate(seed, Profile::Admission);
    const BruteForceAnswer tried = admit_by_trying(set);
    const AdmissionAnswer answer = admit_one_core(set);
    ASSERT_EQ(answer.accepted, tried.accepted) << print(set);
    (answer.accepted ? accepted : refused) += 1;
    ASSERT_EQ(answer.response.size(), set.servers.size());
    for (std::size_t i = 0; i < set.servers.size(); ++i) {
      if (tried.response[i] >= 0)
        ASSERT_EQ(answer.response[i], tried.response[i]) << i << "\n" << print(set);
    }
    if (!tried.accepted) {
      ASSERT_EQ(answer.largest_budget_that_fits, tried.largest_budget_that_fits) << print(set);
    }
  }
  EXPECT_GT(accepted, 1000);
  EXPECT_GT(refused, 1000);
}

}  // namespace
}  // namespace hocket::test
