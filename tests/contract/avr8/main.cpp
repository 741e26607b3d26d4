// The contract suite as images for the ATmega328P: HOCKET_SUITE_PART 1 tests the port, 2 the
// kernel. Text goes to GPIOR1, a byte at a time, the result to GPIOR2: the
// simulator's side of it is simulation/avr/contract.cpp.
#include "suite.h"

namespace hocket::contract {
namespace {

using K = Board::System;

[[noreturn]] void end(uint8_t status) {
  for (;;) GPIOR2 = status;
}

#if HOCKET_SUITE_PART == 2
K::Vcpu tester_vcpu;
K::Thread tester;
alignas(Port::kStackAlignment) unsigned char tester_stack[Board::kTestStack + 60];

void test_kernel(void*) {
  run_kernel_tests();
  end(finish() ? 0 : 1);
}

[[noreturn]] void run_suite() {
  doors = {[] { K::on_timer(); }, [] { K::on_reschedule(); }, [] { K::after_interrupt(); }};
  K::init_core(0, Board::kSlots);
  K::add_best_effort(tester_vcpu, Board::kSlots - 1);
  K::create(tester, tester_vcpu, {tester_stack, sizeof tester_stack}, &test_kernel, nullptr);
  K::start(tester, K::now());
  K::run_core();
}
#else
[[noreturn]] void run_suite() {
  run_port_tests();
  end(finish() ? 0 : 1);
}
#endif

}  // namespace

void print(const char* text) {
  for (; *text != '\0'; ++text) GPIOR1 = static_cast<uint8_t>(*text);
}

void Machine::halt(const char* reason) {
  print(reason);
  end(70);
}

}  // namespace hocket::contract

// What a handler of a line does is recorded; none other of a device is here.
HOCKET_AVR8_VECTORS(hocket::contract::Port, [] { hocket::contract::Port::act_upon_lines(); })
HOCKET_AVR8_LINES

extern "C" void hocket_stack_overflow() {
  hocket::contract::Machine::halt("a stack has overflowed");
}

/// A failed invariant of the kernel (HOCKET_CHECKED).
void hocket_check_failed(const char*, const char*, unsigned line) {
  hocket::contract::print_number(line);
  hocket::contract::Machine::halt(": an invariant of the kernel");
}

extern "C" int main() {
  hocket::contract::Port::irq_save();
  hocket::contract::Port::start();
  hocket::contract::start_time_base();
  hocket::contract::run_suite();
}
