// Doors between start.S and a bare test program.
#include "tests/drivers/bare/bare.h"

extern "C" void bare_core() {
  const bare::CoreId core = bare::core();
  if (core != 0) {
    bare::run_other(core);
    return;
  }
  bare::run();
  bare::finish(0);
}

extern "C" void bare_fiq() {
  bare::fiq();
}
extern "C" void bare_irq() {
  bare::irq();
}

extern "C" void bare_unexpected() {
  uint64_t syndrome, place, address;
  asm("mrs %0, esr_el1\n\tmrs %1, elr_el1\n\tmrs %2, far_el1"
      : "=r"(syndrome), "=r"(place), "=r"(address));
  bare::line("unexpected exception: esr ", syndrome, ", elr ", place, ", far ", address);
  bare::finish(2);
}

[[gnu::weak]] void bare::run_other(CoreId) {}
[[gnu::weak]] void bare::fiq() {
  line("unexpected FIQ");
  finish(2);
}
[[gnu::weak]] void bare::irq() {
  line("unexpected IRQ");
  finish(2);
}

// A freestanding compiler may call these.
extern "C" void* memset(void* to, int byte, size_t size) {
  volatile unsigned char* at = static_cast<unsigned char*>(to);
  for (size_t i = 0; i < size; ++i) at[i] = static_cast<unsigned char>(byte);
  return to;
}
extern "C" void* memcpy(void* to, const void* from, size_t size) {
  volatile unsigned char* at = static_cast<unsigned char*>(to);
  for (size_t i = 0; i < size; ++i) at[i] = static_cast<const unsigned char*>(from)[i];
  return to;
}
