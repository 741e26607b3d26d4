// The contract suite as an image for a Cortex-M: the port alone, then the kernel on it.
#include "bare.h"
#include "ports/cortex_m/vectors.h"
#include "suite.h"

namespace hocket::contract {
namespace {

using K = Board::System;

K::Vcpu tester_vcpu;
K::Thread tester;
alignas(Port::kStackAlignment) unsigned char tester_stack[2 * Board::kTestStack];

void masked_no_longer_than_declared() {
  const Ticks longest = Port::longest + Port::kVectors;
  tell("longest masked section", longest, Port::costs().longest_masked);
  HOCKET_EXPECT(longest <= Port::costs().longest_masked);
}

void test_kernel(void*) {
  Port::longest = 0;  // the port's tests mask on purpose
  run_kernel_tests();
  run("masked_no_longer_than_declared", &masked_no_longer_than_declared);
  run_stack_tests();
  bare::exit(finish() ? 0 : 1);
}

template <void (*kHandler)()>
void door() {
  Port::begins();
  kHandler();
  Port::ends();
}

}  // namespace

void print(const char* text) {
  bare::print(text);
}

}  // namespace hocket::contract

extern "C" [[noreturn]] void hocket_main() {
  using namespace hocket::contract;
  Port::start();
  start_time_base();
  run_port_tests();
  Port::irq_save();
  doors = {&door<&K::on_timer>, &door<&K::on_reschedule>, &door<&K::after_interrupt>};
  K::init_core(0, Board::kSlots);
  K::add_best_effort(tester_vcpu, Board::kSlots - 1);
  K::create(tester, tester_vcpu, {tester_stack, sizeof tester_stack}, &test_kernel, nullptr);
  K::start(tester, K::now());
  K::run_core();
}

HOCKET_BARE_DEFECTS
HOCKET_CORTEX_M_VECTORS(hocket::contract::Port, hocket::machine::Board,
                        hocket::cortex_m::attachable<hocket::contract::Port>(22),
                        hocket::cortex_m::attachable<hocket::contract::Port>(23))
