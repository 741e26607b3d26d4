// The contract suite as an image of its own: the port and the kernel, nothing else, on 1 to 8 cores.
#include "boards/aarch64/kernel/memory_map.h"
#include "drivers/semihosting/semihosting.h"
#include "ports/aarch64/boot.h"
#include "ports/aarch64/interrupts.h"
#include "suite.h"

namespace hocket::contract {
namespace {

using K = Board::System;
using Interrupts = aarch64::Interrupts<Port>;

Atomic<bool> port_is_tested;
K::Vcpu tester_vcpu;
K::Thread tester;
alignas(Port::kStackAlignment) unsigned char tester_stack[Board::kTestStack];

void test_kernel(void*) {
  run_kernel_tests();
  drivers::Semihosting::exit(finish() ? 0 : 1);
}

/// All cores: the suite's boot.
[[noreturn]] void boot(CoreId core) {
  if (core == 0) {
    run_port_tests();
    doors = {[] { K::on_timer(); }, [] { K::on_kick(); }};
    port_is_tested.store(true, order::release);
  }
  while (!port_is_tested.load(order::acquire)) Port::relax();
  Port::irq_save();
  K::init_core(core, Board::kSlots);
  if (core == 0) {
    K::core(0).policy.add_best_effort(tester_vcpu, Board::kSlots - 1);
    K::create(tester, tester_vcpu, {tester_stack, sizeof tester_stack}, &test_kernel, nullptr);
    K::start(tester, K::now());
  }
  K::run_core();
}

}  // namespace

void print(const char* text) {
  drivers::Semihosting::print(text);
}

}  // namespace hocket::contract

extern "C" void hocket_halt(const char* reason) {
  hocket::contract::print("FAIL: ");
  hocket::contract::print(reason);
  hocket::contract::print("\n");
  hocket::drivers::Semihosting::exit(70);
  for (;;) {
  }
}

extern "C" void hocket_kernel_start(uint64_t number) {
  const auto core = static_cast<hocket::CoreId>(number);
  using MachineBoard = hocket::machine::Board;
  hocket::aarch64::init_core(core);
  if (core == 0) {
    hocket::aarch64::construct_globals();
    const char* error = hocket::memory::prepare(MachineBoard::kDevicesBegin, MachineBoard::kDevicesEnd);
    if (error != nullptr) hocket_halt(error);
  }
  hocket::memory::use();
  if (!hocket::contract::Interrupts::init_core(core)) hocket_halt("no interrupts");
  hocket::contract::boot(core);
}

/// A failed invariant of the kernel (HOCKET_CHECKED).
void hocket_check_failed(const char* what, const char* file, unsigned line) {
  hocket::contract::fail(what, file, line);
  hocket_halt("invariant");
}

void hocket::machine::Board::halt(const char* reason) {
  hocket_halt(reason);
}

HOCKET_AARCH64_DOORS(hocket::contract::Port, hocket::contract::K)
