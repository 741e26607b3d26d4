// Load for measuring the emulator's speed: both cores (with ONE: core 0 alone) compute checksums
// and sort, for ever; with PAUSES each is woken by its alarm and busy for a seventh of the time.
#include "registers.h"

extern "C" {
extern uint32_t stack, second_stack;
void reset();
extern __attribute__((section(".vectors"), aligned(256))) void (*const vectors[48])();
}

namespace {

constexpr uint32_t kSio = 0xd0000000, kTimer = 0x40054000, kWatchdog = 0x40058000;

uint32_t words[2][64];
volatile uint32_t results[2], due[2];

uint32_t checksum(const uint8_t* bytes, uint32_t size) {
  uint32_t sum = ~0u;
  for (uint32_t i = 0; i < size; ++i) {
    sum ^= bytes[i];
    for (int bit = 0; bit < 8; ++bit) sum = sum >> 1 ^ ((sum & 1) != 0 ? 0xedb88320u : 0);
  }
  return sum;
}

void sort(uint32_t* from, uint32_t count) {
  for (uint32_t i = 1; i < count; ++i) {
    const uint32_t word = from[i];
    uint32_t at = i;
    for (; at > 0 && from[at - 1] > word; --at) from[at] = from[at - 1];
    from[at] = word;
  }
}

void work(uint32_t core, uint32_t seed) {
  for (uint32_t& word : words[core]) word = seed = seed * 1664525 + 1013904223;
  sort(words[core], 16);
  results[core] = checksum(reinterpret_cast<const uint8_t*>(words[core]), 64);
  reg(kSio + 0x1c) = 1u << core;
}

[[noreturn]] void loop(uint32_t core) {
  for (uint32_t round = 0;; ++round) {
#ifdef PAUSES
    asm volatile("cpsid i");
    while (due[core] == 0) asm volatile("wfi\n cpsie i\n nop\n cpsid i" ::: "memory");
    due[core] = 0;
    asm volatile("cpsie i");
#endif
    work(core, round);
  }
}

void begin(uint32_t core) {
  reg(kEnable) = 1u << core;
  reg(kTimer + 0x10 + 4 * core) = reg(kTimer + 0x28) + 500;
}

}  // namespace

extern "C" {

void alarm() {
  const uint32_t core = reg(kSio);
  reg(kTimer + 0x34) = 1u << core;
  reg(kTimer + 0x10 + 4 * core) = reg(kTimer + 0x10 + 4 * core) + 500;
  due[core] = 1;
}

void second() {
  begin(1);
  loop(1);
}

int main() {
  reg(kVectors) = reinterpret_cast<uint32_t>(vectors);
  reg(kResets + kClear) = 1u << 21;
  reg(kWatchdog + 0x2c) = 1u << 9 | 12;
  reg(kTimer + 0x38) = 3;
#ifndef ONE
  const uint32_t start[] = {0,
                            0,
                            1,
                            reinterpret_cast<uint32_t>(vectors),
                            reinterpret_cast<uint32_t>(&second_stack),
                            reinterpret_cast<uint32_t>(second)};
  for (const uint32_t word : start) {
    reg(kSio + 0x54) = word;
    while ((reg(kSio + 0x50) & 1) == 0) {
    }
    static_cast<void>(reg(kSio + 0x58));
  }
#endif
  begin(0);
  loop(0);
}

void (*const vectors[48])() = {
    reinterpret_cast<void (*)()>(&stack),
    reset,
    alarm,
    alarm,
    alarm,
    alarm,
    alarm,
    alarm,
    alarm,
    alarm,
    alarm,
    alarm,
    alarm,
    alarm,
    alarm,
    alarm,
    alarm,
    alarm,
};
}
