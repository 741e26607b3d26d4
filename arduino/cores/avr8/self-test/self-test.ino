// Measures on a board with an ATmega328P what the kernel takes, and compares it with what is declared
// (docs/guide/owners.md). A sketch sees the kernel from outside: from one loop's last reading of the
// timer to another loop's first one. So each figure holds what the kernel took, and a few
// microseconds of the code around it. The lines come after every ten seconds.
#include <hocket/Semaphore.h>

#include "arduino/cores/avr8/kernel_costs.h"

using Ticks = uint16_t;  // half microseconds of timer 1, modulo 32.8 ms

const uint8_t ROUNDS = 250;                                        // of loop 1, before each print
const Ticks PERIOD = (40 * hocket::uno::kTickHz / 1000) & 0xffff;  // of loop 1
const Ticks TURN = 16;     // a longer time between two readings of one loop is an interrupt's
const Ticks AROUND = 60;   // from a reading to the call that sleeps, or from its return to a reading
const Ticks HANDLER = 60;  // of timer 2, with v()

struct Range {
  Ticks least = 0xffff, most = 0;
  void add(Ticks ticks) {
    if (ticks < least) least = ticks;
    if (ticks > most) most = ticks;
  }
};
Range wayIn, wayOut, turn, interrupt;

/// Instants against a clock of equal periods. The first one lies in the middle of the range.
struct Late {
  Ticks zero = 0;
  Range seen;
  void add(Ticks instant) {
    if (seen.most == 0) zero = instant - 0x8000;
    seen.add(instant - zero);
  }
  Ticks range() const { return seen.most - seen.least; }
};
Late begun, interrupted;

Semaphore ticked(0);
volatile bool measures;           // all loops run, and nothing prints
volatile uint8_t ended1, ended3;  // how often these loops have ended their work
volatile Ticks left;                       // the last reading of the loop that ended
volatile Ticks due, began;                 // of loop 1: a multiple of its period, and its first reading

ISR(TIMER2_COMPA_vect) {
  static uint8_t third;
  if (++third < 3) return;
  third = 0;
  ticked.v();
}

/// The timer, and how often loops 1 and 3 have ended, read in one piece.
struct Sample {
  Ticks now;
  uint8_t ended1, ended3;
  static Sample take() {
    const uint8_t before = SREG;
    cli();
    const Sample sample = {TCNT1, ::ended1, ::ended3};
    SREG = before;
    return sample;
  }
  bool same(const Sample& other) const {
    return ended1 == other.ended1 && ended3 == other.ended3;
  }
};

/// A loop's last reading, with its count.
void end(volatile uint8_t& count) {
  const uint8_t before = SREG;
  cli();
  left = TCNT1;
  count = count + 1;
  SREG = before;
}

void setup() {
  Serial.begin(115200);
  TCCR2A = 1 << WGM21;  // timer 2: an interrupt each 16.06 ms, every third wakes
  TCCR2B = 7;
  OCR2A = 250;
  TIMSK2 = 1 << OCIE2A;
}

/// Begins 25 times a second, at equal times. It computes for a while, in which an interrupt may wake
/// loop 3, and switches nothing.
void periodic(1, 1ms, 40ms) {
  Ticks before = Sample::take().now;
  began = before;
  if (measures) begun.add(before - due);
  for (uint8_t turns = 0; turns < 200; ++turns) {
    const Ticks now = Sample::take().now;
    if (measures && now - before > TURN) interrupt.add(now - before);
    before = now;
  }
  due = due + PERIOD;
  end(ended1);
}

/// Is woken by another clock than loop 1, so that its switches meet the beginnings of loop 1.
void loop(3, 1, 48) {
  ticked.p();
  delayMicroseconds(100);
  end(ended3);
}

void printTime(const __FlashStringHelper* before, Ticks ticks) {
  Serial.print(before);
  Serial.print(ticks / 2);
  Serial.print(ticks % 2 == 0 ? F(".0 us") : F(".5 us"));
}

void printLine(const __FlashStringHelper* name, Ticks seen, Ticks declared) {
  Serial.print(name);
  printTime(F(" seen "), seen);
  printTime(F(", declared "), declared);
  Serial.println(seen <= declared ? F("") : F(": MORE"));
}

void printAll() {
  const auto costs = hocket::uno::costs_of({false, 3, true, false, false});
  const Ticks around = turn.least + AROUND;
  printLine(F("E+S"), wayIn.most, costs.interrupt_entry + costs.context_switch + around);
  printLine(F("S"), wayOut.most, costs.context_switch + around);
  printLine(F("I"), interrupt.most, costs.timer_interrupt + HANDLER + around);
  printLine(F("L"), interrupted.range(), costs.timer_lateness + turn.least);
  printLine(F("M"), begun.range(), costs.longest_masked + costs.timer_lateness + around);
  Serial.println(F("done"));
}

/// Notes what was seen, if one loop has run between two samples of loop 2, and no other.
void note(const Sample& before, const Sample& now) {
  const uint8_t new1 = now.ended1 - before.ended1, new3 = now.ended3 - before.ended3;
  if (new1 + new3 != 1) return;
  wayOut.add(now.now - left);
  if (new1 == 0) return;
  wayIn.add(began - before.now);
  interrupted.add(before.now - (due - PERIOD));
}

/// Computes without end in all the time that is left, and sees each interruption.
void loop(2, 1, 100, background()) {
  static uint8_t first;
  Sample before = Sample::take(), now = Sample::take();
  if (before.same(now)) turn.add(now.now - before.now);
  while (now.same(before)) {
    before = now;
    now = Sample::take();
  }
  if (measures) note(before, now);
  const uint8_t rounds = now.ended1 - first;
  if (rounds >= ROUNDS) {
    measures = false;
    printAll();
    first = ended1;
  } else if (rounds >= 4) {
    measures = true;
  }
}
