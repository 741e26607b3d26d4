// System calls with random numbers and arguments, as a hostile sketch would make them.
//
// Loops 1 to 4 (survivors) make CALLS calls each that must come back: random numbers of calls and random
// arguments, but for the few calls that would stop or stall the loop. The sacrificed loops, from 10 on,
// make any call with anything, until one stops them or never comes back. Loop 5 must keep its period all
// the while, and what is not given to any call must stay as it is (loop 6).
//
// Whatever the kernel prints for the survivors comes from `letters`: any other byte is foreign memory.
#include <Hocket.h>

#include "campaign.h"  // CALLS, SEED, FIRST_SACRIFICED, SACRIFICED

extern "C" char hocket_data_begin[], hocket_data_end[], hocket_bss_end[], hocket_heap_begin[],
    hocket_heap_end[], hocket_text_end[], hocket_rodata_begin[], hocket_rodata_end[];

uint8_t letters[4096];      // lower-case only
uint32_t survivors_locks[8];
int survivors_counts[8];
uint32_t playground[256];   // counts and texts of the sacrificed
uint64_t canaries[512];
volatile uint64_t done[5];
extern const uint64_t constant_canary;
const uint64_t constant_canary = 0x0123456789abcdef;

struct Random {
  uint64_t state;
  uint64_t next() {  // splitmix64
    uint64_t z = (state += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  uint64_t below(uint64_t limit) { return next() % limit; }
  bool one_in(uint64_t n) { return below(n) == 0; }
};

uint64_t call(uint64_t number, uint64_t a, uint64_t b, uint64_t c, uint64_t d) {
  register uint64_t x8 asm("x8") = number;
  register uint64_t x0 asm("x0") = a;
  register uint64_t x1 asm("x1") = b;
  register uint64_t x2 asm("x2") = c;
  register uint64_t x3 asm("x3") = d;
  asm volatile("svc #0"
               : "+r"(x0), "+r"(x1), "+r"(x2), "+r"(x3), "+r"(x8)
               :
               : "memory", "x4", "x5", "x6", "x7", "x9", "x10", "x11", "x12", "x13", "x14", "x15", "x16",
                 "x17", "cc");
  return x0;
}

/// An address that the sketch may not read: with what is added here and any size given to it, it
/// touches a guard, the kernel, a device or nothing. (Stacks of loops that call it are one page.)
uint64_t bad_address(Random &random) {
  const uint64_t own_stack = (uint64_t)__builtin_frame_address(0);
  const uint64_t edges[] = {0, 0x1000, 0x8000000, 0x9000000, 0x9030000, 0x10000000 - 4096, 0x1ffff000,
                            0x20000000, 0x20000700, 0x3ffff000, 0x40000000, 0x40080000, 0x43fff000,
                            0x50000000, 0x7fffffff000, 0x8000000000, 0x7fffffffff000, 0xffff000000000000,
                            0xffffff7ffffff000, 0xffffff8000000000, 0xffffff8009000000,
                            0xffffff8040080000, 0xffffff8040100000, 0xffffff8041000000,
                            0xffffffc000000000, 0xffffffc000001000, 0xffffffc000002000,
                            0xfffffffffffff000, (own_stack & ~0xfffull) - 4096,
                            (uint64_t)hocket_heap_end, (uint64_t)hocket_heap_end + 4096};
  if (random.one_in(8)) return random.next() | 1ull << 62;
  const uint64_t edge = edges[random.below(sizeof edges / sizeof *edges)];
  return random.one_in(2) ? edge : edge + random.below(0x800);
}

uint64_t any_number(Random &random) {
  switch (random.below(8)) {
    case 0: return 0;
    case 1: return random.below(64);
    case 2: return (1ull << random.below(64)) - random.below(2);
    case 3: return -random.below(64);
    case 4: return random.below(64) | random.next() << 32;
    case 5: return random.next();
    case 6: return bad_address(random);
    default: return random.below(3);
  }
}

uint64_t large_size(Random &random, uint64_t address) {
  switch (random.below(5)) {
    case 0: return -address;               // to the end of all addresses
    case 1: return -address + random.below(16);  // and around it
    case 2: return 1ull << (31 + random.below(33));
    case 3: return -1 - random.below(8);
    default: return 0x20000000;
  }
}

/// Whether a loop has this number, of which the call takes 32 bits: all that are declared below.
bool is_loop(uint64_t number) {
  const uint32_t id = (uint32_t)number;
  return (id >= 1 && id <= 6) || (id >= FIRST_SACRIFICED && id < FIRST_SACRIFICED + SACRIFICED);
}

/// One call that comes back soon, whatever its arguments are.
void survive(Random &random, unsigned self) {
  const uint64_t a = any_number(random), b = any_number(random), c = any_number(random);
  const uint64_t now = hocket::sys::now_ns();
  const uint64_t number = random.below(35);
  switch (number) {
    case 1: case 30: return;  // stop the loop
    case 2: call(2, random.one_in(200) ? now + random.below(20000) : random.below(now + 1), b, c, a); return;
    case 16: call(16, a, (uint32_t)a == 0 ? 115200 << random.below(4) : b, c, a); return;
    case 17: if ((uint32_t)a != 0 || random.one_in(50)) call(17, a, b, c, a); return;
    case 22: {
      if (random.one_in(2)) {  // no such port: the address does not matter
        call(22, 4 + random.below(1ull << 31), bad_address(random), b, c);
        call(22, random.below(1u << 30) << 32 | 0xfffffff0, bad_address(random), b, c);
        return;
      }
      const uint64_t at = random.below(sizeof letters), size = random.below(17);
      if (at + size <= sizeof letters) call(22, b << 32, (uint64_t)letters + at, size, c);
      else call(22, 0, bad_address(random), 0, c);  // nothing may be printed from anywhere
      return;
    }
    case 24: call(24, a, now + random.below(3000), b, c); return;
    case 27: {
      uint32_t *lock = &survivors_locks[random.below(8)];
      hocket::sys::spin_lock(lock);
      if (random.one_in(10)) call(random.below(2) ? 3 : 27, a, b, c, a);
      hocket::sys::spin_unlock(lock);
      call(27, a, b, c, a);  // nothing is held
      return;
    }
    case 28: case 34: {
      int *count = &survivors_counts[random.below(8)];
      const uint64_t until = random.one_in(200) ? now + random.below(20000) : random.below(now + 1);
      if (call(number, (uint64_t)count, until, b, c) > 1) Serial.println("SEMAPHORE");
      return;
    }
    case 32: call(32, random.one_in(200) ? now + random.below(20000) : random.below(now + 1), b, c, a); return;
    default: {
      const uint64_t result = call(number, a, b, c, a);
      if (number == 9 && result > 1) Serial.println("PIN");
      if (number == 25 && result != self) Serial.println("LOOP");
      if (number == 26 && result > 7) Serial.println("CORE");
      if (number == 33 && result != is_loop(a)) Serial.println("UNPARK");
    }
  }
}

/// Any call at all. What it may lock and print of the sketch's own is the playground alone.
void dare(Random &random) {
  const uint64_t number = random.one_in(6) ? any_number(random) : random.below(35);
  const uint64_t a = any_number(random), b = any_number(random), c = any_number(random);
  const uint64_t bad = bad_address(random);
  switch (number) {
    case 16: call(16, a, (uint32_t)a == 0 ? 9600 + random.below(1000000) : b, c, a); return;
    case 17: return;  // would close the port of all
    case 22:
      if (random.one_in(3)) call(22, 0, (uint64_t)letters + random.below(64), random.below(64), c);
      else call(22, random.one_in(4) ? a : 0, bad, random.one_in(2) ? 1 + random.below(64) : large_size(random, bad), c);
      return;
    case 28: case 34:
      call(number, random.one_in(3) ? bad : (uint64_t)playground + random.below(sizeof playground - 3), b, c, a);
      return;
    case 30:
      call(30, random.one_in(2) ? bad : (uint64_t)playground + random.below(sizeof playground), c, b, a);
      return;
    default:
      call(number, a, b, c, a);
  }
}

void setup() {
  Serial.begin(2000000);
  for (unsigned i = 0; i < sizeof letters; i++) letters[i] = 'a' + i % 26;
  for (unsigned i = 0; i < 512; i++) canaries[i] = i * 0x9e3779b97f4a7c15;
  Random random{SEED};
  for (unsigned i = 0; i < 256; i++) playground[i] = random.one_in(2) ? 0 : random.next();
}

void survivor(unsigned self) {
  static Random state[5] = {{SEED + 1}, {SEED + 2}, {SEED + 3}, {SEED + 4}, {SEED + 5}};
  for (unsigned i = 0; i < 1000 && done[self] < CALLS; i++) {
    survive(state[self], self);
    done[self] = done[self] + 1;
  }
  if (done[self] >= CALLS) delay(50);
}
void sacrificed(unsigned number) {
  Random random{SEED * 1000003 + number};
  delay(random.below(40));
  for (;;) dare(random);
}

void loop(1, 2, 10) { survivor(1); }
void loop(2, 2, 10) { survivor(2); }
void loop(3, 1500us, 10ms) { survivor(3); }
void loop(4, 1, 10) { survivor(4); }
void periodic(5, 20us, 2ms) {}
void loop(6, 200us, 50ms) {
  unsigned changed = constant_canary != 0x0123456789abcdef;
  for (unsigned i = 0; i < 512; i++) changed += canaries[i] != i * 0x9e3779b97f4a7c15;
  for (unsigned i = 0; i < sizeof letters; i++) changed += letters[i] != 'a' + i % 26;
  if (changed) Serial.println("CHANGED");
  bool over = true;
  for (unsigned i = 1; i < 5; i++) over = over && done[i] >= CALLS;
  if (over) Serial.println("CAMPAIGN OVER");
  delay(50);
}
