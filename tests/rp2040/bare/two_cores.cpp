// Both cores compute, meet at spinlocks and in the FIFO, turn pins over, and are woken by alarms;
// in the end core 0 says what came of it.
#include "registers.h"

extern "C" {
extern __attribute__((section(".vectors"), aligned(256))) void (*const vectors[48])();
}

namespace {

constexpr uint32_t kSio = 0xd0000000, kTimer = 0x40054000, kWatchdog = 0x40058000;
constexpr uint32_t kIoBank0 = 0x40014000;
constexpr uint32_t kRounds = 400;

uint32_t shared, turns[2];
volatile uint32_t due[2];

uint32_t core() {
  return reg(kSio);
}

/// A CRC of what a generator makes, so that both cores are busy in code and data.
uint32_t work(uint32_t seed, uint32_t words) {
  uint32_t sum = ~0u;
  for (uint32_t i = 0; i < words; ++i) {
    seed = seed * 1664525 + 1013904223;
    sum ^= seed >> 8;
    for (int bit = 0; bit < 8; ++bit) sum = sum >> 1 ^ ((sum & 1) != 0 ? 0xedb88320u : 0);
  }
  return sum;
}

void with_lock(uint32_t value) {
  while (reg(kSio + 0x100) == 0) {
  }
  shared = shared * 33 + value;
  ++turns[core()];
  reg(kSio + 0x100) = 1;
}

void wait_for_alarm(uint32_t before) {
  asm volatile("cpsid i");
  while (due[core()] == before) asm volatile("wfi\n cpsie i\n nop\n cpsid i" ::: "memory");
  asm volatile("cpsie i");
}

void loop() {
  const uint32_t me = core();
  for (uint32_t round = 0; round < kRounds; ++round) {
    const uint32_t before = due[me];
    with_lock(work(me * 7 + round, 20 + round % 7));
    reg(kSio + 0x1c) = 1u << (2 + me);
    if (round % 4 == 0) wait_for_alarm(before);
  }
}

}  // namespace

extern "C" {
extern uint32_t stack, second_stack;
void reset();

void unexpected() {
  say("unexpected exception\n");
  finish();
}
void alarm() {
  const uint32_t me = core();
  reg(kTimer + 0x34) = 1u << me;
  reg(kTimer + 0x10 + 4 * me) = reg(kTimer + 0x28) + 50 + 13 * me;
  due[me] = due[me] + 1;
}

void second() {
  reg(kEnable) = 2;
  reg(kTimer + 0x14) = reg(kTimer + 0x28) + 63;
  loop();
  reg(kSio + 0x54) = turns[1];
  reg(kEnable + 0x80) = 2;
  asm volatile("sev\n cpsid i");
  for (;;) asm volatile("wfi");
}
}

namespace {

/// The boot ROM's protocol: each word is sent until it comes back.
void launch_second() {
  const uint32_t words[] = {0,
                            0,
                            1,
                            reinterpret_cast<uint32_t>(vectors),
                            reinterpret_cast<uint32_t>(&second_stack),
                            reinterpret_cast<uint32_t>(second)};
  uint32_t i = 0;
  while (i < 6) {
    reg(kSio + 0x54) = words[i];
    asm volatile("sev");
    while ((reg(kSio + 0x50) & 1) == 0) {
    }
    i = reg(kSio + 0x58) == words[i] ? i + 1 : 0;
  }
}

}  // namespace

extern "C" int main() {
  open_console();
  reg(kVectors) = reinterpret_cast<uint32_t>(vectors);
  reg(kResets + kClear) = 1u << 5 | 1u << 8 | 1u << 21;
  reg(kWatchdog + 0x2c) = 1u << 9 | 12;
  for (uint32_t pin = 2; pin < 4; ++pin) reg(kIoBank0 + 8 * pin + 4) = 5;
  reg(kSio + 0x24) = 3u << 2;
  reg(kTimer + 0x38) = 3;
  launch_second();
  reg(kEnable) = 1;
  reg(kTimer + 0x10) = reg(kTimer + 0x28) + 50;
  loop();
  while ((reg(kSio + 0x50) & 1) == 0) asm volatile("wfe");
  say_hex(shared);
  say_hex(turns[0]);
  say_hex(reg(kSio + 0x58));
  say_hex(reg(kTimer + 0x28));
  say("\n");
  reg(kEnable + 0x80) = 1;
  finish();
}

extern "C" {
void (*const vectors[48])() = {
    reinterpret_cast<void (*)()>(&stack),
    reset,
    unexpected,
    unexpected,
    unexpected,
    unexpected,
    unexpected,
    unexpected,
    unexpected,
    unexpected,
    unexpected,
    unexpected,
    unexpected,
    unexpected,
    unexpected,
    unexpected,
    alarm,
    alarm,
};
}
