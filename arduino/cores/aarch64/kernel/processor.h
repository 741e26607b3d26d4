// AArch64 under loops in a domain of their own (arduino/cores/protected/kernel/contract.h says what
// each name means).
#pragma once

#include "ports/aarch64/boot.h"
#include "ports/aarch64/layout.h"
#include "ports/aarch64/memory_map.h"
#include "user_space.h"

extern "C" {
// switch.S
[[noreturn]] void hocket_enter_user(uint64_t entry, uint64_t argument, uint64_t stack,
                                    void* kernel_stack);
// restart.S
[[noreturn]] void hocket_restart_first_core();
[[noreturn]] void hocket_park(uint64_t core, uint32_t* parked, uint32_t* release);
[[noreturn]] void hocket_sleep();
}

namespace hocket {

struct Processor {
  template <class Board>
  using Port = aarch64::Aarch64Port<Board>;
  using UserSpace = aarch64::UserSpace;

  // --- The kernel's own memory ---

  static const char* map_kernel(uint64_t devices_begin, uint64_t devices_end) {
    return memory::prepare(devices_begin, devices_end);
  }
  static void use_map() { memory::use(); }
  static port::Stack kernel_stack(size_t bytes) { return memory::kernel_stack(bytes); }

  // --- The way into the sketch ---

  [[noreturn, gnu::always_inline]] static void enter_user(uint64_t entry, uint64_t argument,
                                                          uint64_t stack, void* kernel_stack) {
    hocket_enter_user(entry, argument, stack, kernel_stack);
  }
  [[gnu::always_inline]] static void set_storage(uint64_t storage) {
    asm volatile("msr tpidr_el0, %0" ::"r"(storage));
  }

  // --- System calls: SVC #0, the number in x8, arguments in x0 to x3 ---

  using Word = uint64_t;
  static constexpr unsigned kArgumentWords = 4;
  static constexpr unsigned kCallRoom = HOCKET_SYSTEM_CALL_ROOM;

  /// What vectors.S saves of the caller.
  struct Frame {
    uint64_t unused[2];
    uint64_t link;         // where the sketch's call returns
    uint64_t instruction;  // after the one that called the kernel
    uint64_t stack;
    uint64_t unused_end;

    uint64_t call() const { return instruction - 4; }
    uint64_t caller() const { return link - 1; }
  };
  static_assert(sizeof(Frame) == HOCKET_CALL_SIZE);
  static_assert(__builtin_offsetof(Frame, link) == HOCKET_CALL_LINK);
  static_assert(__builtin_offsetof(Frame, instruction) == HOCKET_CALL_LINK + 8);
  static_assert(__builtin_offsetof(Frame, stack) == HOCKET_CALL_SP0);

  // --- Cores ---

  [[gnu::always_inline]] static void begin_core(CoreId core) { aarch64::init_core(core); }
  [[gnu::always_inline]] static void construct_globals() { aarch64::construct_globals(); }
  [[gnu::always_inline]] static uint64_t counter_rate() { return aarch64::Level::frequency(); }

  template <class Port>
  [[nodiscard, gnu::always_inline]] static bool start_interrupts(CoreId core) {
    return aarch64::Interrupts<Port>::init_core(core);
  }
  template <class Port>
  [[gnu::always_inline]] static bool defer_in_section() {
    return aarch64::Interrupts<Port>::defer_in_section();
  }
  template <class Port>
  [[gnu::always_inline]] static void at_section_end(void (*function)()) {
    aarch64::Interrupts<Port>::at_section_end = function;
  }

  [[noreturn, gnu::always_inline]] static void restart_first_core() { hocket_restart_first_core(); }
  [[noreturn, gnu::always_inline]] static void park(CoreId core, uint32_t* parked,
                                                    uint32_t* release) {
    hocket_park(core, parked, release);
  }
  [[noreturn, gnu::always_inline]] static void sleep_for_good() { hocket_sleep(); }
  [[gnu::always_inline]] static void wake_parked() { asm volatile("dsb ishst\n sev" ::: "memory"); }
  [[noreturn, gnu::always_inline]] static void stop_core() {
    for (;;) asm volatile("wfe");
  }
  [[noreturn, gnu::always_inline]] static void halt_core() {
    for (;;) asm volatile("wfi");
  }
};

}  // namespace hocket

/// The functions that the vectors call, defined once in an image (paths.cpp).
#define HOCKET_PROCESSOR_DOORS(Port, K, kCallsSketch) HOCKET_AARCH64_DOORS(Port, K, kCallsSketch)
