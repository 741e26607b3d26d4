// Random changes of what is pending, enabled, masked and how urgent, from handlers at any depth: a
// sum of everything that the processor says about itself after each. Two implementations of Armv6-M
// that agree print the same.
#include "registers.h"

#ifndef SEED
#define SEED 31337
#endif
#ifndef STEPS
#define STEPS 20000
#endif

extern "C" {
extern __attribute__((section(".vectors"), aligned(256))) void (*const vectors[24])();
}

namespace {

constexpr uint32_t kDeepest = 6, kLines = 8;

Random random_numbers(SEED);
uint32_t steps, depth, deepest, sum;
uint32_t entered[24];

uint32_t exception() {
  uint32_t value;
  asm volatile("mrs %0, ipsr" : "=r"(value));
  return value;
}
uint32_t masked() {
  uint32_t value;
  asm volatile("mrs %0, primask" : "=r"(value));
  return value;
}
void mix(uint32_t value) {
  sum = sum * 31 + value;
}

void set_priority(uint32_t line, uint32_t priority) {
  const uint32_t at = kPriorities + (line & 4), shift = 8 * (line & 3);
  reg(at) = (reg(at) & ~(0xffu << shift)) | priority << shift;
}

/// QEMU looks for exceptions at the end of a block of its translation: hence a barrier behind each
/// write.
__attribute__((noinline)) void change() {
  if (++steps >= STEPS) return;
  const uint32_t r = random_numbers.next(), more = r >> 8;
  switch (r % 16) {
    case 0:
    case 1:
    case 2:
    case 3:
      reg(kPend) = 1u << more % kLines;
      break;
    case 4:
      reg(kPend) = more & 0xff;
      break;
    case 5:
    case 6:
      reg(kControl) = 1u << 28;
      break;  // PendSV
    case 7:
      reg(kControl) = 1u << 26;
      break;  // SysTick
    case 8:
      reg(kUnpend) = more & 0xff;
      barrier();
      reg(kControl) = 1u << 27;
      break;
    case 9:
      asm volatile("cpsid i" ::: "memory");
      break;
    case 10:
    case 11:
      asm volatile("cpsie i\n nop" ::: "memory");
      break;
    // Which of the following instructions a refused SVC returns to differs: its handler skips one.
    case 12:
      asm volatile("svc 1\n nop\n nop\n nop" ::: "memory");
      break;
    case 13:
      set_priority(more % kLines, more >> 4 & 0xc0);
      break;
    case 14:
      reg(kPendSvPriority) = (more & 0xc0) << 24 | (more >> 4 & 0xc0) << 16;
      barrier();
      reg(kSvCallPriority) = (more >> 8 & 0xc0) << 24;
      break;
    default:
      reg(more % 2 != 0 ? kEnable : kEnable + 0x80) = 1u << (more >> 1) % kLines;
      break;
  }
  barrier();
  mix(exception() | masked() << 8 | (reg(kControl) & 0x003f'f000) << 4 | (reg(kPend) & 0xff) << 24);
}

}  // namespace

extern "C" {

void handle() {
  const uint32_t number = exception();
  ++entered[number];
  if (++depth > deepest) deepest = depth;
  mix(number * 7 + depth);
  const uint32_t changes = random_numbers.next() % 4;
  for (uint32_t i = 0; depth < kDeepest && i <= changes && steps < STEPS; ++i) change();
  --depth;
  mix(number * 11);
}

void skip(uint32_t* frame) {
  ++entered[3];
  mix(3);
  frame[6] = (frame[6] + 2) & ~1u;
}

__attribute__((naked)) void fault() {
  asm volatile("mrs r0, msp\n push {r4, lr}\n bl skip\n pop {r4, pc}");
}

extern uint32_t stack;
void reset();

int main() {
  open_console();
#ifndef SEMIHOSTING
  reg(kVectors) = reinterpret_cast<uint32_t>(vectors);
#endif
  reg(kEnable) = (1u << kLines) - 1;
  while (steps < STEPS) change();
  asm volatile("cpsid i");
  say_hex(sum);
  say_hex(deepest);
  for (const uint32_t count : entered) say_hex(count);
  say("\n");
  finish();
}

// The stack's value is an address of the linker's.
void (*const vectors[24])() = {
    reinterpret_cast<void (*)()>(&stack),
    reset,
    handle,
    fault,
    handle,
    handle,
    handle,
    handle,
    handle,
    handle,
    handle,
    handle,
    handle,
    handle,
    handle,
    handle,
    handle,
    handle,
    handle,
    handle,
    handle,
    handle,
    handle,
    handle,
};
}
