// The contract suite on the host port: `contract_host SEED CORES`. The seed varies the
// interleaving.
#include <cstdio>
#include <cstdlib>

#include "devices_test.h"
#include "ports/host/machine.h"
#include "suite.h"

namespace hocket::contract {
namespace {

using K = Board::System;

volatile bool port_is_tested = false;
bool all_passed = false;
K::Vcpu tester_vcpu;
K::Thread tester;
alignas(Port::kStackAlignment) unsigned char tester_stack[Board::kTestStack];

void masked_no_longer_than_declared() {
  HOCKET_EXPECT(static_cast<Ticks>(host::Machine::instance().longest_masked()) <=
                Port::costs().longest_masked);
}

void test_kernel(void*) {
  host::Machine::instance().forget_longest_masked();  // the port's tests mask on purpose
  run_kernel_tests();
  run_device_tests();
  run(HOCKET_CONSTANT_TEXT("masked_no_longer_than_declared"), &masked_no_longer_than_declared);
  all_passed = finish();
  host::Machine::instance().stop(host::StopReason::Asked);
}

void boot(void* argument) {
  const auto core = static_cast<CoreId>(reinterpret_cast<uintptr_t>(argument));
  if (core == 0) {
    start_time_base();
    run_port_tests();
    doors = {[] { K::on_timer(); }, [] { K::on_reschedule(); }, [] { K::after_interrupt(); }};
    port_is_tested = true;
  }
  // In long steps: relax() would have the machine change cores at every block.
  auto& machine = host::Machine::instance();
  while (!port_is_tested) machine.spin_until(machine.now() + 10'000);
  Port::irq_save();
  if (core != 0) start_time_base();
  K::init_core(core, Board::kSlots);
  if (core == 0) {
    K::add_best_effort(tester_vcpu, Board::kSlots - 1);
    K::create(tester, tester_vcpu, {tester_stack, sizeof tester_stack}, &test_kernel, nullptr);
    K::start(tester, K::now());
  }
  K::run_core();
}

}  // namespace

void print(const char* text) {
  std::fputs(text, stdout);
}

}  // namespace hocket::contract

/// A failed invariant of the kernel (HOCKET_CHECKED).
void hocket_check_failed(const char* what, const char* file, unsigned line) {
  std::printf("FAIL invariant: %s:%u: %s\n", file, line, what);
  std::fflush(stdout);
  std::abort();
}

int main(int count, char** arguments) {
  using namespace hocket;
  if (count != 3) {
    std::fputs("usage: contract_host SEED CORES\n", stderr);
    return 2;
  }
  host::MachineOptions options;
  options.seed = std::strtoull(arguments[1], nullptr, 10);
  options.cores = static_cast<unsigned>(std::strtoul(arguments[2], nullptr, 10));
  options.end = 60'000'000'000;
#if __has_feature(address_sanitizer)
  options.model.block /= 5;  // the sanitizers' own checks are basic blocks too
#endif
  host::Machine machine(options);
  if (machine.run(&contract::boot) == host::StopReason::Time) std::puts("FAIL: it never ended");
  return contract::all_passed ? 0 : 1;
}
