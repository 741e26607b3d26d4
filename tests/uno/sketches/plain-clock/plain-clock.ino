// A sketch without loops: millis() and micros() against arithmetic, as timer 0 counts.
#include <avr/io.h>

extern volatile unsigned long timer0_millis, timer0_overflow_count;

static unsigned long cases, wrong;

static void expect(bool right) {
  ++cases;
  if (!right) ++wrong;
}

static unsigned long chance = 1;
static unsigned long next() {
  chance ^= chance << 13;
  chance ^= chance >> 17;
  return chance ^= chance << 5;
}

// An instant, with an overflow pending or none. The counter counts each 1024 cycles here, so it stands still
// while it is read.
static void check(unsigned long turns, byte count, bool pending) {
  timer0_overflow_count = turns;
  TIFR0 = 1 << TOV0;
  if (pending) {
    TCNT0 = 0xfe;
    while (!(TIFR0 & 1 << TOV0)) {}
  }
  unsigned long us;
  TCNT0 = count;
  do {
    count = TCNT0;
    us = micros();
  } while (TCNT0 != count);
  expect(us == ((turns + pending) << 8 | count) * 4);
}

static void check_instants() {
  const unsigned long turns[] = {0, 0xff, 0xffff, 0x3fffff, 0xffffff, 0x1000000, 0xffffffff};
  const byte counts[] = {0, 1, 127, 128, 253};
  noInterrupts();
  TCCR0B = 1 << CS02 | 1 << CS00;
  for (unsigned long t : turns)
    for (byte c : counts) check(t, c, false), check(t, c, true);
  for (int i = 0; i < 300; i++) check(next() >> (next() & 31), next() % 254, next() & 1);
  TCCR0B = 1 << CS01 | 1 << CS00;
  interrupts();
}

// The overflow in each cycle of a reading, in and out of masked sections: time never goes back.
static void check_cuts() {
  for (int cycles = 0; cycles < 300; cycles++) {
    for (int masked = 0; masked < 2; masked++) {
      noInterrupts();
      TCCR0B = 1 << CS00;
      timer0_overflow_count = 0xffff;
      TCNT0 = 255 - (cycles & 63);
      TIFR0 = 1 << TOV0;
      if (!masked) interrupts();
      const unsigned long first = micros(), second = micros();
      interrupts();
      expect(second >= first && second - first < 1024 && first >= 0xffff * 1024UL);
      TCCR0B = 1 << CS01 | 1 << CS00;
    }
  }
}

// Milliseconds: as many as 1.024 ms a turn give, to within one, over their wrap.
static void check_milliseconds() {
  const unsigned long begins[] = {0, 0xfff0, 4294967200};
  for (unsigned long begin : begins) {
    noInterrupts();
    timer0_millis = begin;
    interrupts();
    const unsigned long us = micros();
    while (micros() - us < 150000) {
      const long off = long(millis() - begin) - long((micros() - us) / 1000);
      expect(off >= -2 && off <= 2);
    }
  }
}

void setup() {
  Serial.begin(115200);
  check_milliseconds();
  check_instants();
  check_cuts();
  Serial.print(cases);
  Serial.print(' ');
  Serial.println(wrong);
}

void loop() {}
