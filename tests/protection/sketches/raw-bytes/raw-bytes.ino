// Raw bytes in all that the kernel reads of a sketch, while it reads it: structures, lock records, semaphores'
// counts, locks.
//
// Loops 1 to 4 (survivors) make CALLS operations each that must come back: calls with structures of random
// bytes but for what would stop them, and writes into the record of any loop but the victims. Loop 5 writes
// into the structures, counts and locks that the others have just handed to the kernel. The sacrificed loops, from
// 20 on, hand over those as they are, legal or not, until one stops them.
//
// Loop 13 says at any time that it holds a lock, and gives it back as soon as the kernel has let it go on.
//
// Victims: loops 6 and 7 do nothing but work that they count, loop 8 keeps its period, loops 9 and 10 share a
// lock that nobody else touches, loop 11 tells what all of these have done. Loop 12 has a handler at a pin.
#include <Hocket.h>
#include <string.h>

#include "campaign.h"  // CALLS, SEED, FIRST_SACRIFICED, SACRIFICED

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

constexpr unsigned kStructures = 16, kWords = 8, kRecords = FIRST_SACRIFICED + SACRIFICED;
struct alignas(8) Structure { uint8_t bytes[256]; };
Structure structures[kStructures];        // of SPI and I2C in turn: calls read them while loop 5 writes there
Structure answers[4];                     // that calls read and fill in
alignas(4) int counts[kWords];            // the same of semaphores
uint32_t locks[kWords];
volatile uint64_t *records[kRecords];     // thread pointers, 0: not begun
uint8_t room[8192];                       // what transfers send and receive
uint64_t canaries[512];
volatile uint64_t done[6], dared, scribbled;
Spinlock honest;
volatile uint64_t rounds;
unsigned long inside;                     // with `honest`
volatile uint64_t torn;
volatile uint64_t worked[2];
uint64_t in_a_millisecond;

uint64_t call(uint64_t number, uint64_t a, uint64_t b = 0, uint64_t c = 0, uint64_t d = 0) {
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
template <class T>
uint64_t at(T &thing) { return (uint64_t)&thing; }

void put(Structure &to, unsigned offset, uint64_t value, unsigned size) { memcpy(to.bytes + offset, &value, size); }

void enter(unsigned number) { records[number] = (volatile uint64_t *)__builtin_thread_pointer(); }

/// A word of a loop's lock record: outer locks, how many, longest hold, held and raised, since when.
void scribble_record(Random &random) {
  volatile uint64_t *const record = records[random.below(kRecords)];
  if (record == nullptr) return;
  const uint64_t words[] = {0, 16, at(locks[random.below(kWords)]), at(locks[0]) | 1, ~0ull, 1ull << 63 | random.below(9),
                            random.next(), random.next() & 0xffffffff, 1ull << 32 | 17};
  record[(int64_t)random.below(10) - 8] = words[random.below(sizeof words / sizeof *words)];
}

// --- Transfers: out, in, then what is different ---

/// Few bytes, or ones that go fast: others wait for the bus meanwhile.
uint32_t any_clock(Random &random) { return random.one_in(3) ? random.next() : 50'000'000 + random.below(1u << 26); }

void fill(Structure &to, Random &random) {
  for (unsigned i = 0; i < sizeof to.bytes; i += 8) put(to, i, random.next(), 8);
}
void make_spi(Structure &to, Random &random, uint64_t lies_one_in) {
  const uint32_t hertz = any_clock(random);
  put(to, 0, random.one_in(4) ? 0 : at(room[random.below(64)]), 8);
  put(to, 8, random.one_in(4) ? 0 : at(room[random.below(64)]), 8);
  put(to, 16, hertz < 1'000'000 ? random.below(3) : random.one_in(40) ? 4097 + random.below(4000) : random.below(65), 4);
  put(to, 20, hertz, 4);
  put(to, 24, random.one_in(lies_one_in) ? random.next() : random.below(4), 1);
  put(to, 25, random.one_in(lies_one_in) ? random.next() : random.below(2), 1);
}
void make_i2c(Structure &to, Random &random, uint64_t lies_one_in) {
  const uint32_t hertz = any_clock(random);
  put(to, 0, at(room[random.below(64)]), 8);
  put(to, 8, at(room[random.below(64)]), 8);
  const uint64_t most = hertz < 1'000'000 ? 3 : 65;
  put(to, 16, random.one_in(40) ? 1025 + random.below(4000) : random.below(most), 2);
  put(to, 18, random.below(most), 2);
  put(to, 20, hertz, 4);
  put(to, 24, random.next(), 3);
  put(to, 27, random.one_in(lies_one_in) ? random.next() : random.below(2), 1);
}
constexpr uint64_t kNever = ~0ull, kLies = 3000;

/// One operation that comes back soon.
void survive(Random &random, unsigned self) {
  Structure own;
  fill(own, random);
  const uint64_t now = hocket::sys::now_ns();
  switch (random.below(16)) {
    case 0: case 1: make_spi(own, random, kNever); call(46, random.below(2) | random.next() << 32, at(own)); return;
    case 2: case 3: make_i2c(own, random, kNever); call(44, random.below(2) | random.next() << 32, at(own)); return;
    case 4: call(42, random.below(8), at(answers[random.below(4)])); return;
    case 5: if (call(38, random.next(), at(own)) != 0) Serial.println("EDF"); return;
    case 6: case 7: {
      put(own, 0, random.below(70), 4);
      put(own, 4, random.below(6), 4);
      if (call(35, at(own)) != 0) Serial.println("ATTACHED");
      return;
    }
    case 8: {
      const uint64_t until = random.one_in(100) ? now + random.below(20000) : random.below(now + 1);
      if (call(28, at(counts[random.below(kWords)]), until) > 1) Serial.println("SEMAPHORE");
      return;
    }
    case 9: if (call(34, at(counts[random.below(kWords)])) > 1) Serial.println("SEMAPHORE"); return;
    case 10: call(27, random.next()); return;
    case 11: {
      const uint64_t fifo = random.below(4) * 2;
      if (random.one_in(2)) call(40, fifo, at(room), random.below(sizeof room));
      else call(41, fifo + 1, at(room), random.below(sizeof room), random.next());
      return;
    }
    case 12: call(7, random.below(64), random.next()); return;
    case 13: {
      const uint64_t quiet[] = {4, 5, 6, 8, 9, 10, 11, 13, 18, 19, 25, 26, 31, 33, 36, 39, 43, 45, 47, 48, 52};
      call(quiet[random.below(sizeof quiet / sizeof *quiet)], 64 + random.next() % (1ull << 31), random.next(), random.next());
      return;
    }
    case 14: if (random.one_in(20)) { call(29, 1); call(29, random.next() << 1); } return;
    default: scribble_record(random);
  }
}

/// What others have just handed over, or will.
void scribble(Random &random) {
  const unsigned place = random.below(kStructures);
  Structure &to = structures[place];
  switch (random.below(6)) {
    case 0: case 1: place % 2 == 0 ? make_spi(to, random, kLies) : make_i2c(to, random, kLies); return;
    case 2: to.bytes[random.one_in(kLies) ? random.below(32) : 20 + random.below(4)] = random.next(); return;
    case 3: counts[random.below(kWords)] = random.one_in(2) ? -(int)random.below(12) : (int)random.next(); return;
    case 4:
      locks[random.below(kWords)] = random.next();
      put(answers[random.below(4)], random.below(212), random.next(), 8);
      return;
    default: scribble_record(random);
  }
}

/// Structures as they are, in any place, and what the record says as it is.
void dare(Random &random) {
  const uint64_t numbers[] = {35, 37, 38, 42, 44, 46, 46, 44, 28, 34};
  const uint64_t number = numbers[random.below(sizeof numbers / sizeof *numbers)];
  const bool is_i2c = random.one_in(3000) ? number != 44 : number == 44;
  uint64_t place = at(structures[random.below(kStructures / 2) * 2 + is_i2c]);
  Structure own;
  if (random.one_in(400) && (number == 44 || number == 46)) {
    is_i2c ? make_i2c(own, random, 3) : make_spi(own, random, 3);
    place = at(own);
  }
  if (number == 38 || number == 42) place = at(answers[random.below(4)]);
  if (random.one_in(6000)) place += random.below(256);
  if (random.one_in(4000)) place = (uint64_t)__builtin_thread_pointer() + random.below(8192) - 4096;
  switch (number) {
    case 37: if (random.one_in(4000)) call(37, place); return;  // is for handlers' loops alone
    case 35: call(35, place); return;
    case 28: call(28, at(counts[random.below(kWords)]), random.below(hocket::sys::now_ns())); return;
    case 34: call(34, random.one_in(4000) ? place + random.below(3) : at(counts[random.below(kWords)])); return;
    default: call(number, random.below(2), place); return;
  }
}

/// 64 additions are as long each time; nothing of the kernel is in them.
__attribute__((noinline)) void work(volatile uint64_t &count) {
  uint64_t sum = count;
  for (unsigned i = 0; i < 64; i++) asm volatile("add %0, %0, #1" : "+r"(sum));
  count = sum;
}

void on_edge() {}
void setup() {
  Serial.begin(2000000);
  for (unsigned i = 0; i < 512; i++) canaries[i] = i * 0x9e3779b97f4a7c15;
  Random random{SEED};
  for (unsigned i = 0; i < kStructures; i++) {
    i % 2 == 0 ? make_spi(structures[i], random, kNever) : make_i2c(structures[i], random, kNever);
  }
  volatile uint64_t count = 0;
  work(count);
  const uint64_t before = count, begin = hocket::sys::now_ns();
  for (unsigned i = 0; i < 10'000; i++) work(count);
  in_a_millisecond = (count - before) * 1'000'000 / (hocket::sys::now_ns() - begin);
  spinlockLock(honest); spinlockUnlock(honest);
  attachInterrupt(2, on_edge, RISING);
}

void survivor(unsigned self) {
  static Random state[5] = {{SEED + 1}, {SEED + 2}, {SEED + 3}, {SEED + 4}, {SEED + 5}};
  enter(self);
  for (unsigned i = 0; i < 500 && done[self] < CALLS; i++) {
    survive(state[self], self);
    done[self] = done[self] + 1;
  }
  if (done[self] >= CALLS) delay(50);
}
void sacrificed(unsigned number) {
  Random random{SEED * 1000003 + number};
  enter(number);
  delay(random.below(40));
  for (;;) { dare(random); dared = dared + 1; }
}

void loop(1, 2, 20) { survivor(1); }
void loop(2, 2, 20) { survivor(2); }
void loop(3, 1500us, 20ms) { survivor(3); }
void loop(4, 1, 20) { survivor(4); }
void loop(5, 1, 20) { static Random random{SEED + 7}; enter(5); for (unsigned i = 0; i < 500; i++) scribble(random); scribbled = scribbled + 500; }
void loop(6, 1, 10) { for (;;) work(worked[0]); }
void loop(7, 8, 200) { for (;;) work(worked[1]); }
void periodic(8, 20us, 2ms) {}
void share() {
  spinlockLock(honest);
  const unsigned long before = inside++;
  rounds = rounds + 1;
  if (inside != before + 1) torn = torn + 1;
  spinlockUnlock(honest);
  delayMicroseconds(20);
}
void loop(9, 500us, 25ms) { share(); }
void loop(10, 500us, 30ms) { share(); }
void loop(11, 200us, 50ms) {
  unsigned changed = torn;
  for (unsigned i = 0; i < 512; i++) changed += canaries[i] != i * 0x9e3779b97f4a7c15;
  if (changed) Serial.println("CHANGED");
  bool over = true;
  for (unsigned i = 1; i < 5; i++) over = over && done[i] >= CALLS;
  if (over) {
    static bool told = false;
    if (!told) {
      Serial.print("EACH "); Serial.print((unsigned long)in_a_millisecond);
      Serial.print(" ROUNDS "); Serial.print((unsigned long)rounds);
      Serial.print(" DARED "); Serial.print((unsigned long)dared);
      Serial.print(" SCRIBBLED "); Serial.println((unsigned long)scribbled);
    }
    told = true;
    Serial.println("CAMPAIGN OVER");
  }
  delay(50);
}
void loop(13, 1, 60) {
  static Random random{SEED + 13};
  volatile uint32_t *const held = (volatile uint32_t *)__builtin_thread_pointer();
  for (;;) {
    held[0] = random.one_in(8) ? random.next() : 16;
    for (unsigned i = 0; i < 64; i++) {
      if (held[1] != 0) { held[1] = 0; call(27, 0); }
    }
  }
}
// Its own share of the others' records is never written to: what it sees is what they did.
void periodic(12, 50us, 100ms) {
  Serial.print("WORK "); Serial.print((unsigned long)worked[0]);
  Serial.print(' '); Serial.println((unsigned long)worked[1]);
}
