// Random configurations of the MPU, and at random addresses what code with and without privilege
// may do: read, write, execute. Two implementations of the PMSA that agree print the same sum.
#include "registers.h"

#ifndef SEED
#define SEED 12345
#endif
#ifndef CONFIGURATIONS
#define CONFIGURATIONS 400
#endif

extern "C" {
extern __attribute__((section(".vectors"), aligned(256))) void (*const vectors[16])();
}

extern "C" {

volatile uint32_t faults;
extern uint32_t stack;
void reset();

/// Returns behind the instruction, or (where the address itself was executed) to the caller.
void skip(uint32_t* frame) {
  faults = faults + 1;
  const bool in_window = frame[6] - WINDOW < 0x10000;
  frame[6] = in_window ? frame[5] & ~1u : frame[6] + 2;
}
__attribute__((naked)) void fault() {
  asm volatile("mrs r0, msp\n push {r4, lr}\n bl skip\n pop {r4, pc}");
}
__attribute__((naked)) void supervisor_call() {
  asm volatile("movs r0, #0\n msr control, r0\n isb\n bx lr");
}

// Bits: may read, may write, may execute. One instruction each, behind which there is room.
__attribute__((naked, noinline)) uint32_t probe(uint32_t, volatile uint32_t*) {
  asm volatile(
      "push {r4-r7, lr}\n mov r4, r0\n mov r5, r1\n movs r6, #0\n movs r7, #0\n"
      "str r7, [r5]\n ldr r0, [r4]\n nop\n ldr r0, [r5]\n cmp r0, #0\n bne 1f\n adds r6, #1\n"
      "1: str r7, [r5]\n ldr r0, =0x47704770\n str r0, [r4]\n nop\n ldr r0, [r5]\n cmp r0, #0\n"
      "bne 2f\n adds r6, #2\n"
      "2: str r7, [r5]\n adds r0, r4, #1\n blx r0\n nop\n ldr r0, [r5]\n cmp r0, #0\n bne 3f\n"
      "adds r6, #4\n"
      "3: mov r0, r6\n pop {r4-r7, pc}\n .ltorg");
}
}

namespace {

Random random_numbers(SEED);
uint32_t seen[8];

void drop_privilege() {
  asm volatile("msr control, %0\n isb" ::"r"(1) : "memory");
}

/// Some sizes, places, eighths and permissions, reserved ones left out.
void configure(uint32_t region) {
  const uint32_t size = 7 + random_numbers.next() % 9;
  const uint32_t base = WINDOW + (random_numbers.next() % 0x10000 & ~((2u << size) - 1));
  const uint32_t off = random_numbers.next() % 4 != 0 ? 0 : random_numbers.next() & 0xff;
  uint32_t access = random_numbers.next() & 7;
  if (access == 4) access = 3;
  if (access == 7) access = 6;
  const uint32_t enabled = random_numbers.next() % 4 != 0 ? 1 : 0;
  reg(kMpuNumber) = region;
  reg(kMpuBase) = base;
  reg(kMpuAttributes) =
      (random_numbers.next() & 1) << 28 | access << 24 | off << 8 | size << 1 | enabled;
}

/// The program itself: all may do everything there.
void keep(uint32_t region, uint32_t base, uint32_t size) {
  reg(kMpuNumber) = region;
  reg(kMpuBase) = base;
  reg(kMpuAttributes) = 3u << 24 | size << 1 | 1;
}

}  // namespace

extern "C" int main() {
  open_console();
#ifndef SEMIHOSTING
  reg(kVectors) = reinterpret_cast<uint32_t>(vectors);
#endif
  for (uint32_t at = WINDOW; at < WINDOW + 0x10000; at += 4) reg(at) = 0x4770'4770;
  uint32_t sum = 0;
  for (uint32_t n = 0; n < CONFIGURATIONS; ++n) {
    for (uint32_t region = 0; region < 6; ++region) configure(region);
    keep(6, CODE_AREA, 15);
    keep(7, DATA_AREA, 13);
    const uint32_t control = (random_numbers.next() & 1) != 0 ? 5 : 1;
    for (uint32_t i = 0; i < 24; ++i) {
      // QEMU 7.2 keeps a verdict for a page of 1 kB too long, where an address in an eighth that is
      // off has made it. A write to the register makes it forget.
      reg(kMpuControl) = control;
      barrier();
      const uint32_t at = WINDOW + (random_numbers.next() & 0xfffc);
      const uint32_t with = probe(at, &faults);
      drop_privilege();
      const uint32_t without = probe(at, &faults);
      asm volatile("svc 0" ::: "memory");
      sum = sum * 31 + with * 8 + without;
      ++seen[with];
      ++seen[without];
    }
    reg(kMpuControl) = 0;
    barrier();
  }
  say_hex(sum);
  for (const uint32_t count : seen) say_hex(count);
  say("\n");
  finish();
}

extern "C" {
void (*const vectors[16])() = {
    reinterpret_cast<void (*)()>(&stack),
    reset,
    fault,
    fault,
    fault,
    fault,
    fault,
    fault,
    fault,
    fault,
    fault,
    supervisor_call,
    fault,
    fault,
    fault,
    fault,
};
}
