"""Timers that a plain sketch has for itself: motors that two timers step as a machine controller does, what a
timer's counter keeps, and tasks that the watchdog switches."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.interrupts import on, run

# Timer 1 clears at compare match and begins a step each time; timer 0, started with a count that is
# nearly over, ends the pulse. Lines come by an interrupt of the sketch's own: X3Y-2 are millimetres,
# $0=250 is a setting in EEPROM.
STEPPER = r"""
#include <avr/eeprom.h>
#include <avr/io.h>
#include <avr/interrupt.h>

static volatile char line[24];
static volatile uint8_t got, tail;
static volatile uint8_t bits;          // of the axes that have a step in the next tick
static volatile uint8_t busy;
static volatile uint16_t left;         // ticks
static volatile uint8_t going;
static struct { long steps, counter; bool back; } axes[3];
static uint16_t ticks;

ISR(USART_RX_vect) {
  uint8_t data = UDR0;
  if (data == '?') { going |= 2; return; }  // at once, in the midst of a move
  line[got] = data;
  got = (got + 1) % sizeof line;
}
static char out[64];
static volatile uint8_t first, last;
ISR(USART_UDRE_vect) {
  UDR0 = out[first];
  first = (first + 1) % sizeof out;
  if (first == last) UCSR0B &= ~(1 << UDRIE0);
}
static void put(char c) {
  uint8_t next = (last + 1) % sizeof out;
  while (next == first) { }
  out[last] = c;
  last = next;
  UCSR0B |= 1 << UDRIE0;
}
static void number(long n) {
  if (n < 0) { put('-'); n = -n; }
  if (n > 9) number(n / 10);
  put('0' + n % 10);
}
static void text(const char* t) { while (*t) put(*t++); }

ISR(TIMER1_COMPA_vect) {
  if (busy) return;
  PORTD = (PORTD & ~0x1c) | bits;
  TCNT0 = -(8 * 16 >> 3);  // 8 us from now
  TCCR0B = 1 << CS01;
  busy = 1;
  sei();
  if (left == 0) {
    TIMSK1 &= ~(1 << OCIE1A);
    going &= ~1;
    bits = 0;
    busy = 0;
    return;
  }
  uint8_t next = 0;
  for (uint8_t i = 0; i < 3; i++) {
    axes[i].counter += axes[i].steps;
    if (axes[i].counter < ticks) continue;
    axes[i].counter -= ticks;
    next |= 4 << i;
  }
  bits = next;
  OCR1A = left > ticks / 2 ? 7999 : 9999;  // 2 kHz, and slower to the end
  left = left - 1;
  busy = 0;
}
ISR(TIMER0_OVF_vect) {
  PORTD &= ~0x1c;
  TCCR0B = 0;
}

static char take() {
  while (tail == got) {
    if (going & 2) {
      going &= ~2;
      text(going & 1 ? "run\n" : "idle\n");
    }
  }
  char c = line[tail];
  tail = (tail + 1) % sizeof line;
  return c;
}
static void move(int mm[3]) {
  while (going & 1) { }
  ticks = 0;
  for (uint8_t i = 0; i < 3; i++) {
    long steps = (long)mm[i] * eeprom_read_word((uint16_t*)(uint16_t)(2 * i));
    axes[i].back = steps < 0;
    axes[i].steps = labs(steps);
    if (axes[i].steps > ticks) ticks = axes[i].steps;
    if (axes[i].back) PORTD |= 0x20 << i; else PORTD &= ~(0x20 << i);
  }
  for (uint8_t i = 0; i < 3; i++) axes[i].counter = ticks / 2;
  left = ticks;
  going |= 1;
  TIMSK1 |= 1 << OCIE1A;
}

int main() {
  UCSR0A |= 1 << U2X0;
  UBRR0 = 16;
  UCSR0B |= 1 << RXEN0 | 1 << TXEN0 | 1 << RXCIE0;
  DDRD |= 0xfc;
  TCCR1B &= ~(1 << WGM13);
  TCCR1B |= 1 << WGM12;
  TCCR1A &= ~(1 << WGM11 | 1 << WGM10);
  TCCR1B = (TCCR1B & ~(1 << CS12 | 1 << CS11)) | 1 << CS10;  // its top is still 0
  TIMSK0 &= ~(1 << OCIE0B | 1 << OCIE0A | 1 << TOIE0);
  TCCR0A = 0;
  TCCR0B = 0;
  TIMSK0 |= 1 << TOIE0;
  sei();
  text("ready\n");
  int mm[3] = {}, value = 0, axis = -1, setting = -1;
  bool negative = false;
  while (true) {
    char c = take();
    if (c >= '0' && c <= '9') {
      value = value * 10 + c - '0';
      continue;
    }
    if (c == '-') { negative = true; continue; }
    if (axis >= 0) mm[axis] = negative ? -value : value;
    if (c == '=') setting = value;
    if (c == '\n' && setting >= 0) {
      eeprom_write_word((uint16_t*)(uint16_t)(2 * setting), value);
    } else if (c == '\n') {
      move(mm);
    }
    axis = c >= 'X' && c <= 'Z' ? c - 'X' : -1;
    value = 0;
    negative = false;
    if (c != '\n') continue;
    mm[0] = mm[1] = mm[2] = 0;
    setting = -1;
    number(eeprom_read_word((uint16_t*)0));
    text(" ok\n");
  }
}
"""
MACHINE = """
parts:
  host:
    type: serial
    port: 0
    send:
      - {after: "ready", wait: 1 ms, text: "$0=250\\n"}
      - {after: "ok", wait: 1 ms, text: "$1=80\\n"}
      - {after: "ok", wait: 1 ms, text: "$2=400\\n"}
      - {after: "ok", wait: 1 ms, text: "X2Y-3\\n"}
      - {after: "ok", wait: 100 ms, text: "?"}
      - {after: "run", wait: 1 ms, text: "Z1\\n"}
      - {after: "ok", wait: 1 ms, text: "X-1Y1Z-2\\n"}
      - {after: "ok", wait: 450 ms, text: "?"}
    expect: ["ready", "250 ok", "run", "idle"]
  x: {type: a4988, step: 2, dir: 5, microsteps: 16}
  y: {type: a4988, step: 3, dir: 6, microsteps: 16}
  z: {type: a4988, step: 4, dir: 7, microsteps: 16}
  pulse: {type: probe, pin: 2}
"""


def test_three_steppers_by_two_timers(tmp_path: Path) -> None:
    status, said, report = run(tmp_path, "steps", STEPPER, MACHINE, "1500ms", *on("uno"))
    assert status == 0, said
    parts = report["parts"]
    assert parts["host"]["all_seen"], said
    counts = {name: (parts[name]["position"], parts[name]["steps"]) for name in "xyz"}
    assert counts == {"x": (250, 750), "y": (-160, 320), "z": (-400, 1200)}
    assert all(parts[name]["missed_steps"] == 0 for name in "xyz")
    # The overflow comes 16 counts of 8 cycles behind the step's start.
    assert 8 <= parts["pulse"]["min_high_us"] <= parts["pulse"]["max_high_us"] < 16


KEEPS = r"""
static volatile unsigned matches;
ISR(TIMER1_COMPA_vect) { matches++; }
void setup() {
  Serial.begin(115200);
  Serial.flush();
  noInterrupts();
  TCCR1A = 0;
  TCCR1B = 0;
  TCNT1 = 40000;
  unsigned stood = TCNT1;
  TCCR1B = 1 << CS10;
  unsigned begun = TCNT1;
  delayMicroseconds(10);
  TCCR1B = 1 << CS11;
  unsigned slower = TCNT1;
  TCCR1B = 0;
  unsigned stopped = TCNT1;
  TCCR1B = 1 << WGM12;
  TCNT1 = 0;
  OCR1A = 0;
  TIFR1 = 1 << OCF1A;
  TCCR1B |= 1 << CS10;
  bool at_once = TIFR1 & 1 << OCF1A;
  TIMSK1 = 1 << OCIE1A;
  interrupts();
  delayMicroseconds(100);
  OCR1A = 15999;
  unsigned many = matches;
  matches = 0;
  delay(10);
  TIMSK1 = 0;
  unsigned few = matches;
  Serial.print(stood);
  Serial.print(' ');
  Serial.print(begun - stood);
  Serial.print(' ');
  Serial.print(slower - begun);
  Serial.print(' ');
  Serial.print(stopped - slower);
  Serial.print(' ');
  Serial.print(at_once);
  Serial.print(' ');
  Serial.print(many);
  Serial.print(' ');
  Serial.println(few);
}
void loop() {}
"""


def test_a_counter_keeps_its_count(tmp_path: Path) -> None:
    status, said, _ = run(tmp_path, "keeps", KEEPS, "parts: {}\n", "50ms", *on("uno"))
    assert status == 0, said
    stood, begun, slower, stopped, at_once, many, few = map(int, said.split()[:7])
    assert (stood, at_once) == (40000, 1)
    assert 1 <= begun <= 8
    assert 160 <= slower <= 180  # 10 us, and some instructions
    assert stopped <= 2
    assert 1_000 <= many <= 1_800  # one after each instruction of the program
    assert 9 <= few <= 11


# Two tasks with stacks of their own, as libraries have them that bring a scheduler: it starts in
# initVariant(), which never returns, and its tick is the watchdog's interrupt.
TASKS = r"""
#include <avr/interrupt.h>
#include <avr/wdt.h>
#include <stdlib.h>

volatile uint8_t* volatile running;   // where its stack pointer is kept
static uint8_t* stack_of[2];
static volatile byte turn;
static volatile unsigned ticks, wakes[2];

extern "C" __attribute__((used)) void next_task() {
  ticks++;
  turn = !turn;
  running = (volatile uint8_t*)&stack_of[turn];
}

#define SAVE \
  "push r0\n in r0, __SREG__\n cli\n push r0\n push r1\n clr r1\n" \
  "push r2\n push r3\n push r4\n push r5\n push r6\n push r7\n push r8\n push r9\n" \
  "push r10\n push r11\n push r12\n push r13\n push r14\n push r15\n push r16\n push r17\n" \
  "push r18\n push r19\n push r20\n push r21\n push r22\n push r23\n push r24\n push r25\n" \
  "push r26\n push r27\n push r28\n push r29\n push r30\n push r31\n" \
  "lds r26, running\n lds r27, running+1\n" \
  "in r0, __SP_L__\n st X+, r0\n in r0, __SP_H__\n st X+, r0\n"
#define RESTORE \
  "lds r26, running\n lds r27, running+1\n" \
  "ld r28, X+\n out __SP_L__, r28\n ld r29, X+\n out __SP_H__, r29\n" \
  "pop r31\n pop r30\n pop r29\n pop r28\n pop r27\n pop r26\n pop r25\n pop r24\n" \
  "pop r23\n pop r22\n pop r21\n pop r20\n pop r19\n pop r18\n pop r17\n pop r16\n" \
  "pop r15\n pop r14\n pop r13\n pop r12\n pop r11\n pop r10\n pop r9\n pop r8\n pop r7\n" \
  "pop r6\n pop r5\n pop r4\n pop r3\n pop r2\n pop r1\n pop r0\n" \
  "out __SREG__, r0\n pop r0\n"

ISR(WDT_vect, ISR_NAKED) {
  asm volatile(SAVE "call next_task\n" RESTORE "reti\n");
}

static void task(byte which) {
  unsigned last = ticks;
  for (;;) {
    if ((unsigned)(ticks - last) < 4) continue;
    last += 4;
    wakes[which]++;
    if (which == 0) PINB = 1 << 0;
  }
}
static void first() { task(0); }
static void second() {
  unsigned long shown = 0;
  for (;;) {
    if (millis() - shown < 250) continue;
    shown = millis();
    Serial.println(ticks);
  }
}
static uint8_t* prepared(void (*code)()) {
  uint8_t* top = (uint8_t*)malloc(160) + 159;
  *top-- = (uint16_t)code & 0xff;
  *top-- = (uint16_t)code >> 8;
  *top-- = 0;     // r0
  *top-- = 0x80;  // interrupts are enabled
  for (byte i = 0; i < 31; i++) *top-- = 0;
  return top;
}

void setup() {
  Serial.begin(115200);
  pinMode(8, OUTPUT);
  stack_of[0] = prepared(first);
  stack_of[1] = prepared(second);
}
void loop() {}

extern "C" void initVariant() {
  setup();
  running = (volatile uint8_t*)&stack_of[0];
  cli();
  wdt_reset();
  WDTCSR = 1 << WDCE | 1 << WDE;
  WDTCSR = 1 << WDIF | 1 << WDIE;  // 16 ms, and never a reset
  asm volatile(RESTORE "ret\n");
}
"""


def test_tasks_switched_by_the_watchdog(tmp_path: Path) -> None:
    scenario = "parts: {scope: {type: probe, pin: 8}}\n"
    status, said, report = run(tmp_path, "tasks", TASKS, scenario, "1100ms", *on("uno"))
    assert status == 0, said
    counts = [int(word) for word in said.split()[:4]]
    assert counts == pytest.approx([16, 31, 47, 62], abs=1)
    assert report["parts"]["scope"]["mean_interval_us"] == pytest.approx(64_000, rel=0.01)
    assert report["end"] == "time"
