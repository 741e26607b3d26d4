// millis() and micros() beside each other, and against 64-bit arithmetic at instants of 4.4 years.
#include <Hocket.h>
#include <avr/io.h>

// Timer 1 is the clock of the loops, and code that names its registers to set them is refused: this sketch
// sets it before the loops begin, through pointers that the build does not look behind.
static volatile uint16_t* volatile counter = &TCNT1;
static volatile uint8_t* volatile control = &TCCR1B;
#undef TCNT1
#undef TCCR1B
#define TCNT1 (*counter)
#define TCCR1B (*control)

extern "C" volatile uint16_t hocket_clock_turns[2];
extern "C" volatile uint8_t hocket_clock_milliseconds[12];  // and what is kept (arduino/cores/avr8/millis.S)

// Told by writes to ports: B after each thousand cases, C for each that is wrong, D at the end.
static void expect(bool right) {
  static unsigned cases;
  if (++cases % 1000 == 0) PORTB ^= 1;
  if (!right) PORTC ^= 1;
}

// The clock as it is after so many turns, by division.
static void begin(uint32_t turns) {
  const uint64_t ticks = uint64_t{turns} << 16;
  const uint32_t ms = ticks / 2000;
  hocket_clock_turns[0] = turns;
  hocket_clock_turns[1] = turns >> 16;
  for (int i = 0; i < 4; i++) hocket_clock_milliseconds[i] = ms >> 8 * i;
  hocket_clock_milliseconds[4] = ticks % 2000 / 16;
  hocket_clock_milliseconds[9] = 0;  // nothing is kept
}

// The counter ticks every 1024 cycles here, so it stands still while it is read.
static void expect_at(uint64_t turns, uint16_t count) {
  unsigned long ms, us, kept;
  TCNT1 = count;
  do {
    count = TCNT1;
    ms = millis(), us = micros(), kept = millis();
  } while (TCNT1 != count);
  const bool pending = TIFR1 & (1 << TOV1) && count < 0x8000;
  const uint64_t ticks = (turns + pending) << 16 | count;
  expect(ms == (ticks >> 32 ? uint32_t(ticks / 2000) : uint32_t(ticks) / 2000));
  expect(us == uint32_t(ticks / 2));
  expect(kept == ms);
}

// An instant; with an overflow pending; and after the overflow's interrupt.
static void check(uint32_t turns, uint16_t count) {
  begin(turns);
  expect_at(turns, count);
  TCNT1 = 0xfffe;  // simavr takes 0xffff for 0
  while (!(TIFR1 & (1 << TOV1))) {}
  expect_at(turns, count);
  TCNT1 = 0;  // it does not overflow once more meanwhile
  interrupts();
  asm volatile("nop\n nop");  // simavr lets an interrupt in behind the second instruction, a processor behind the first
  noInterrupts();
  expect(!(TIFR1 & (1 << TOV1)));
  expect_at(uint64_t{turns} + 1, count);
}

// Both sides of every millisecond in a turn, for each rest that a turn can begin with.
static void check_milliseconds() {
  for (uint32_t turns = 0; turns < 125; turns++) {
    begin(turns);
    const uint32_t first = (turns << 16) / 2000 + 1;
    for (uint32_t ms = first; ms * 2000 < (turns + 1) << 16; ms++) {
      expect_at(turns, ms * 2000 - 1);
      expect_at(turns, ms * 2000);
    }
  }
}

static uint32_t chance = 1;
static uint32_t next() {
  chance ^= chance << 13;
  chance ^= chance >> 17;
  return chance ^= chance << 5;
}

static void check_instants() {
  // 131,072,000 turns are 2^32 ms.
  const uint32_t turns[] = {0, 1, 124, 125, 0xff, 0x7fff, 0xffff, 0x10000, 0xffffff, 131071999, 131072000, 0xffffffff};
  const uint16_t counts[] = {0, 15, 16, 1999, 2000, 2047, 2048, 0x7fff, 0x8000, 0xfffe};
  for (uint32_t t : turns)
    for (uint16_t c : counts) check(t, c);
  for (int i = 0; i < 300; i++) check(next() >> (next() & 31), next());
}

// On through a turn in steps of any length, asking at each: what was kept at one is wrong at a later one.
static void check_steps() {
  for (uint32_t turns = 0; turns < 125; turns++) {
    begin(turns);
    for (uint32_t count = next() & 0x3ff; count < 0xfff0; count += 1 + (next() & 0x7ff)) expect_at(turns, count);
  }
}

// What an interrupt's millis() finds, between what micros() says before and after.
static volatile bool cut;
ISR(TIMER2_COMPB_vect) {
  TIMSK2 = 0;
  const uint32_t before = micros(), ms = millis(), again = millis(), after = micros();
  expect(before / 1000 <= ms && ms <= again && again <= after / 1000);
  cut = true;
}

// A call that is interrupted in any of its cycles by one that works out the same: at the end of a turn, of a
// millisecond, and of a byte of the counter. A tick is a cycle here.
static void check_cuts() {
  const uint16_t counts[] = {0xff20, 0x0720, 0x0f80, 0x0100};
  for (int cycles = 0; cycles < 120; cycles++) {
    for (uint16_t count : counts) {
      for (int kept = 0; kept < 2; kept++) {
        noInterrupts();
        TCCR1B = 1 << CS10;
        begin(124);
        TCNT1 = count;
        TIFR1 = 1 << TOV1;
        if (kept) millis();
        TCCR2A = 0;
        TCCR2B = 1 << CS20;
        TCNT2 = 0;
        OCR2B = 100 + cycles;
        TIFR2 = 1 << OCF2B;
        TIMSK2 = 1 << OCIE2B;
        cut = false;
        interrupts();
        while (TCNT2 < 80) {}
        const uint32_t before = micros(), ms = millis(), between = micros();
        while (!cut) {}
        const uint32_t again = millis(), after = micros();
        expect(before / 1000 <= ms && ms <= between / 1000 && between / 1000 <= again && again <= after / 1000);
      }
    }
  }
  TCCR1B = 1 << CS11;
}

// As sketches have it: between two millis() every micros() is, in and out of masked sections.
static void run_beside() {
  for (int i = 0; i < 800; i++) {
    if (i & 1) noInterrupts();
    delayMicroseconds(next() & 1023);
    const unsigned long before = millis(), us = micros(), after = millis();
    interrupts();
    expect(before <= us / 1000 && us / 1000 <= after && after - before <= 1);
  }
}

// The overflow that carries into the upper half of the turns, in each cycle of a reading of all 48 bits.
static void check_carry() {
  for (int cycles = 0; cycles < 600; cycles++) {
    noInterrupts();
    TCCR1B = 1 << CS10;
    begin(0xffff);
    TCNT1 = -cycles - 2;
    TIFR1 = 1 << TOV1;
    interrupts();
    const uint64_t ticks = hocket::sys::now_ns() / 500;
    expect(ticks >= 0xffff0000 && ticks <= 0x100000000 + 1000);
  }
  TCCR1B = 1 << CS11;
}

void setup() {
  run_beside();
  check_carry();
  check_cuts();
  noInterrupts();
  TCCR1B = 1 << CS12 | 1 << CS10;
  check_milliseconds();
  check_steps();
  check_instants();
  begin(0);
  TCCR1B = 1 << CS11;
  interrupts();
  PORTD ^= 1;
}

void loop(1, 1, 100) { delay(1000); }
