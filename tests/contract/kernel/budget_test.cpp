// Budgets: what threads that always have work get.
#include "kernel_bench.h"

namespace hocket::contract {
namespace {

volatile bool spinning = false;
[[maybe_unused]] void spin(void*) {
  while (spinning) pause();
  finished.signal();
}

/// Two that spin get exactly their budgets; one without budget gets the rest. `Kernel` is K: what a
/// kernel without statistics lacks is looked up only in one that has it.
template <class Kernel>
void budgets_are_measured() {
  spinning = true;
  const Instant at = K::now() + us(1'000);
  typename Kernel::Thread* threads[3];
  threads[0] = &bench.thread(bench.vcpu(4'000, 10'000), &spin);
  threads[1] = &bench.thread(bench.vcpu(2'000, 10'000), &spin);
  threads[2] = &bench.thread(bench.vcpu(1'000, 10'000, 0, /*background=*/true), &spin);
  for (auto* thread : threads) {
    thread->meter.start(at, us(10'000));
    K::start(*thread, at);
  }
  K::sleep_until(at + us(120'000));
  spinning = false;
  for (unsigned i = 0; i < 3; ++i) finished.wait();
  const Ticks late = Port::costs().timer_lateness + Port::costs().longest_masked;
  // What of the enforced budget is not taken by an activation and an end is its own, too.
  const Ticks spare = PortCharges<Port>::activation().ticks();
  const Ticks wanted[] = {microseconds(4'000), microseconds(2'000)};
  for (unsigned i = 0; i < 2; ++i) {
    HOCKET_EXPECT_IN_TIME(threads[i]->meter.windows() >= 11);
    HOCKET_EXPECT_IN_TIME(threads[i]->meter.least().ticks() >= wanted[i] - late);
    HOCKET_EXPECT_IN_TIME(threads[i]->meter.most().ticks() <= wanted[i] + spare + late);
  }
  HOCKET_EXPECT_IN_TIME(threads[2]->meter.least() > us(1'000));
}
void budgets_are_kept() {
  if constexpr (K::kStatistics) budgets_are_measured<K>();
}

}  // namespace

void test_budgets() {
  HOCKET_WITH_BENCH(budgets_are_kept);
}

}  // namespace hocket::contract
