// The contract suite as an image of its own: the port and the kernel, nothing else, on 1 to 8
// cores.
//
// The word `restless` on the command line says that the machine's clock is that of a busy host:
// instants are not judged then (suite.h).
#include "bare_image.h"
#include "cores.h"
#include "neighbour/tests.h"
#include "suite.h"

namespace hocket::contract {
namespace {

using K = Board::System;

Atomic<uint32_t> ready;  // cores that have a kernel
K::Vcpu tester_vcpu;
K::Thread tester;
alignas(Port::kStackAlignment) unsigned char tester_stack[Board::kTestStack];

void test_kernel(void*) {
  run_kernel_tests();
  run_domain_tests();
  run_cost_tests();
  run_neighbour_tests();
  bare::exit(finish() ? 0 : 1);
}

template <void (*kHandler)()>
void door() {
  Port::begins();
  kHandler();
  Port::ends();
}

void start_other_cores() {
  unsigned cores = 1;
  while (cores < Port::kCores && start_core(static_cast<CoreId>(cores))) ++cores;
  Port::cores_there = cores;
  while (ready.load(order::acquire) < cores - 1) Port::relax();
  print("cores: ");
  print_number(cores);
  print("\n");
}

[[noreturn]] void boot_first_core() {
  times_are_judged = !bare::asked_for("restless");
  run_port_tests();
  doors = {&door<&K::on_timer>, &door<&K::on_reschedule>, &K::after_interrupt};
  Port::irq_save();
  K::init_core(0, Board::kSlots);
  start_other_cores();
  K::add_best_effort(tester_vcpu, Board::kSlots - 1);
  K::create(tester, tester_vcpu, {tester_stack, sizeof tester_stack}, &test_kernel, nullptr);
  K::start(tester, K::now());
  begin_neighbour();
  K::run_core();
}

[[noreturn]] void boot_other_core(CoreId core) {
  Port::irq_save();
  K::init_core(core, Board::kSlots);
  ready.fetch_add(1, order::acquire_release);
  K::run_core();
}

}  // namespace

void print(const char* text) {
  bare::print(text);
}

}  // namespace hocket::contract

extern "C" void hocket_kernel_start(uint64_t number) {
  const auto core = static_cast<hocket::CoreId>(number);
  hocket::bare::prepare<hocket::contract::Port>(core);
  if (core == 0) hocket::contract::boot_first_core();
  hocket::contract::boot_other_core(core);
}

HOCKET_AARCH64_DOORS(hocket::contract::Port, hocket::contract::K, false)
