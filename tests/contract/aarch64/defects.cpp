// Defects of a kernel, made on purpose: each must end in the report of a defect, whatever it is.
//
// The last word of the command line says which one (test_defects_virt.py). What comes back from its
// defect says SURVIVED and ends with status 0.
#include "bare_image.h"
#include "contract_board.h"
#include "cores.h"
#include "kernel/base/atomic.h"
#include "ports/aarch64/memory_map.h"

extern "C" {
extern const unsigned hocket_test_constant;
const unsigned hocket_test_constant = 77;
unsigned hocket_test_code[2] = {0xd65f03c0, 0};  // RET
unsigned hocket_test_text() {
  return 5;
}
}

namespace hocket::contract {
namespace {

using Port = Board::Port;
constexpr uintptr_t kDataBegin = HOCKET_KERNEL_OFFSET;

/// The compiler must not know what it is asked to do.
template <class T>
T hidden(T value) {
  asm volatile("" : "+r"(value));
  return value;
}
void write(const void* address) {
  *reinterpret_cast<volatile unsigned*>(hidden(reinterpret_cast<uintptr_t>(address))) = 1;
}
void read(uintptr_t address) {
  static_cast<void>(*reinterpret_cast<volatile unsigned*>(hidden(address)));
}
void call(const void* address) {
  reinterpret_cast<void (*)()>(hidden(reinterpret_cast<uintptr_t>(address)))();
}

[[gnu::noinline]] unsigned deeper(unsigned n) {
  volatile unsigned frame[20];
  frame[n % 20] = n;
  if (n == hidden(0u)) return 0;  // never
  return deeper(n + 1) + frame[(n + 1) % 20];
}
void overflow() {
  deeper(hidden(1u));
}

/// The same on a stack as threads have it.
void overflow_of_a_thread() {
  const port::Stack stack = memory::kernel_stack(8192);
  asm volatile("mov sp, %0\n blr %1" ::"r"(static_cast<char*>(stack.base) + stack.size),
               "r"(&overflow)
               : "x30", "memory");
}

/// …and in the vectors: an interrupt's frame does not fit any more.
void overflow_in_a_vector() {
  const port::Stack stack = memory::kernel_stack(8192);
  Port::send_reschedule(Port::core_id());
  asm volatile(
      "mov sp, %0\n msr daifclr, #1\n isb\n 1: b 1b" ::"r"(static_cast<char*>(stack.base) + 16)
      : "memory");
}

void lose_the_stack_pointer() {
  asm volatile("mov x9, #16\n mov sp, x9\n ldr x9, [sp]" ::: "x9", "memory");
}

struct Defect {
  const char* name;
  void (*happen)();
};
constexpr Defect kDefects[] = {
    {"write-text", [] { write(reinterpret_cast<const void*>(&hocket_test_text)); }},
    {"write-constant", [] { write(&hocket_test_constant); }},
    {"execute-data", [] { call(hocket_test_code); }},
    {"execute-constant", [] { call(&hocket_test_constant); }},
    {"execute-stack",
     [] {
       unsigned code[2] = {0xd65f03c0, 0};
       call(hidden(&code[0]));
     }},
    {"execute-device",
     [] { call(reinterpret_cast<const void*>(machine::Board::kDevicesBegin + kDataBegin)); }},
    {"read-null", [] { read(0); }},
    {"call-null", [] { call(nullptr); }},
    {"read-physical", [] { read(machine::Board::kRamBegin); }},
    {"read-above-memory", [] { read(HOCKET_KERNEL_OFFSET + 0x1'0000'0000); }},
    {"boot-stack", &overflow},
    {"thread-stack", &overflow_of_a_thread},
    {"stack-in-vector", &overflow_in_a_vector},
    {"stack-pointer", &lose_the_stack_pointer},
    {"undefined", [] { asm volatile("udf #0"); }},
    {"breakpoint", [] { asm volatile("brk #9"); }},
    {"call-of-itself", [] { asm volatile("svc #0"); }},
};

void make_the_one_asked_for() {
  for (const Defect& defect : kDefects) {
    if (bare::asked_for(defect.name)) defect.happen();
  }
  bare::print("SURVIVED\n");
  bare::exit(0);
}

}  // namespace
}  // namespace hocket::contract

extern "C" {
void hocket_timer_interrupt() {}
void hocket_reschedule_interrupt() {}
void hocket_interrupt_exit() {}

/// On core 1 where there is one.
void hocket_kernel_start(uint64_t number) {
  using namespace hocket;
  const auto core = static_cast<CoreId>(number);
  bare::prepare<contract::Port>(core);
  if (core == 0 && contract::start_core(1)) {
    for (;;) asm volatile("wfi");
  }
  contract::make_the_one_asked_for();
  for (;;) asm volatile("wfi");
}
}

HOCKET_AARCH64_DOORS(hocket::contract::Port, hocket::contract::Board::System, false)
