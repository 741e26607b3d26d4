// See two_wire.h.
#include "arduino/cores/avr8/two_wire.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <util/delay_basic.h>

#include "arduino/cores/avr8/core.h"
#include "arduino/cores/avr8/device_time.h"
#include "arduino/runtime/system.h"
#include "ports/avr8/port.h"

asm(".weak hocket_wire_slave\n.weak hocket_wire_slave_talk");  // as in core.cpp

namespace hocket::uno {

volatile bool wire_timed_out;
WireTalk wire_first_talk;
uint8_t wire_idle = 1 << TWEN;
volatile bool wire_serves;

namespace {

/// In sketches without loops, for which this file is compiled a second time, one talk is all there is.
#ifdef HOCKET_WITHOUT_LOOPS
constexpr bool kLoops = false;
#else
constexpr bool kLoops = true;
#endif

constexpr uint8_t kGo = (1 << TWINT) | (1 << TWEN) | (1 << TWIE);
constexpr uint8_t kBegin = kGo | (1 << TWSTA);
constexpr uint8_t kEnd = (1 << TWINT) | (1 << TWEN) | (1 << TWSTO);

WireTalk* volatile current;  // its transfer is under way; those behind it wait
uint8_t ended;               // how many have, modulo 256
uint32_t timeout_us = 25'000;

/// Masked. `control`: what the end is, on the bus.
void finish(WireTalk& talk, WireEnd end, uint8_t control) {
  if (talk.reads != 0) talk.in_size = (talk.selected & 1) != 0 ? talk.at : 0;
  talk.end = end;
  current = talk.behind;
  ++ended;
  TWCR = current == nullptr ? control | wire_idle : control | kBegin;
  if (kLoops) sys::semaphore_give(&talk.done);
}

/// The next byte of what is read is the last one if it is not acknowledged.
void read_on(const WireTalk& talk) {
  TWCR = static_cast<uint8_t>(talk.at + 1 < talk.reads ? kGo | (1 << TWEA) : kGo);
}

/// Masked: what comes after the step that the status tells of (data sheet, tables 21-3 and 21-4).
void step(WireTalk& talk, uint8_t status) {
  switch (status) {
    case 0x08:  // a start
    case 0x10:  // a repeated start
      TWDR = talk.selected;
      TWCR = kGo;
      return;
    case 0x18:  // the address, for writing, was acknowledged
    case 0x28:  // a byte was
      if (talk.at != talk.out_size) {
        TWDR = talk.out[talk.at++];
        TWCR = kGo;
        return;
      }
      if (talk.reads != 0) {
        talk.selected |= 1;
        talk.at = 0;
        TWCR = kBegin;
        return;
      }
      // Kept: the clock is held low, and the next transfer begins with a repeated start.
      return finish(talk, WireEnd::Done, talk.stop ? kEnd : 1 << TWEN);
    case 0x50:  // a byte came, and another is wanted
      talk.in[talk.at++] = TWDR;
      return read_on(talk);
    case 0x40:  // the address, for reading, was acknowledged
      return read_on(talk);
    case 0x58:  // the last byte came
      talk.in[talk.at++] = TWDR;
      return finish(talk, WireEnd::Done, talk.stop ? kEnd : 1 << TWEN);
    case 0x20:
    case 0x48:
      return finish(talk, WireEnd::NoDevice, kEnd);
    case 0x30:
      return finish(talk, WireEnd::NotTaken, kEnd);
    case 0x38:  // another controller was faster: the bus is its
      return finish(talk, WireEnd::Failed, (1 << TWINT) | (1 << TWEN));
    default:
      return finish(talk, WireEnd::Failed, kEnd);
  }
}

/// The interface is set back, and the transfer that is under way has failed. Masked.
void give_up() {
  WireTalk* const talk = current;
  if (talk == nullptr) return;
  wire_timed_out = true;
  TWCR = 0;
  finish(*talk, WireEnd::TimedOut, 1 << TWEN);
}

/// A stop that is still going out: some 10 us. (A start would be lost.)
void let_stop_leave() {
  for (uint16_t looks = 2'000; (TWCR & (1 << TWSTO)) != 0 && looks != 0; --looks) {
  }
}

#ifdef HOCKET_WITHOUT_LOOPS

void wait_for(WireTalk& talk, uint8_t) {
  constexpr uint8_t kStep = 2;  // us
  uint32_t left = timeout_us;
  while (talk.end == WireEnd::UnderWay) {
    _delay_loop_1(kStep * (F_CPU / 1'000'000) / 3 - 2);
    if (left >= kStep) {
      left -= kStep;
    } else if (timeout_us != 0) {
      const Masked masked;
      if (talk.end == WireEnd::UnderWay) give_up();
    }
  }
}

#else

/// From here on a loop that sleeps meanwhile leaves the processor to others for longer than it takes to
/// go and to come back.
constexpr uint16_t kWorthSleeping = 300;  // us
/// An interrupt of it takes no more than two of a character's (test_two_wire.py measures it).
constexpr uint16_t kStepTicks = 2 * kCharacterTicks;

/// Microseconds of the bus for so many bytes: 9 clocks each.
uint16_t expected(uint8_t bytes) {
  return static_cast<uint16_t>(bytes * ((16 + 2 * TWBR) * 9u / (F_CPU / 1'000'000)));
}

void wait_for(WireTalk& talk, uint8_t bytes) {
  if (expected(bytes) < kWorthSleeping) {
    while (current == &talk) {
    }
  }
  for (;;) {
    const uint8_t before = ended;
    const uint64_t until = timeout_us == 0 ? UINT64_MAX : sys::now_ns() + timeout_us * 1'000ull;
    if (sys::semaphore_take(&talk.done, until)) return;
    // In all this time no transfer has ended.
    const Masked masked;
    if (before == ended) give_up();
  }
}

#endif

}  // namespace

WireEnd wire_transfer(WireTalk& talk, bool writes, uint8_t reads, bool stop) {
  if ((TWCR & (1 << TWEN)) == 0) return WireEnd::Failed;
  talk.selected = static_cast<uint8_t>(talk.address << 1 | (writes ? 0 : 1));
  talk.reads = reads;
  talk.stop = stop;
  talk.at = 0;
  talk.end = WireEnd::UnderWay;
  talk.behind = nullptr;
  if (!writes) talk.out_size = 0;
  const auto bytes = static_cast<uint8_t>(talk.out_size + reads + 2);
#ifndef HOCKET_WITHOUT_LOOPS
  hocket_pay(bytes * kStepTicks);
#endif
  for (bool started = false; !started;) {
    let_stop_leave();
    const Masked masked;
    if (current != nullptr) {
      WireTalk* last = current;
      while (last->behind != nullptr) last = last->behind;
      last->behind = &talk;
    } else if ((TWCR & (1 << TWSTO)) != 0 && kLoops) {
      continue;  // another loop's has ended just now
    } else {
      current = &talk;
      TWCR = kBegin;
    }
    started = true;
  }
  wait_for(talk, bytes);
  return talk.end;
}

void wire_begin() {
  constexpr uint8_t kLines = (1 << PORTC4) | (1 << PORTC5);
  const Masked masked;
  DDRC = static_cast<uint8_t>(DDRC & ~kLines);
  PORTC = static_cast<uint8_t>(PORTC | kLines);
  if ((TWCR & (1 << TWEN)) != 0) return;
  TWSR = 0;
  TWBR = (F_CPU / 100'000 - 16) / 2;
  TWCR = wire_idle;
}

void wire_end() {
  constexpr uint8_t kLines = (1 << PORTC4) | (1 << PORTC5);
  const Masked masked;
  while (current != nullptr) give_up();
  TWCR = 0;
  wire_idle = 1 << TWEN;
  PORTC = static_cast<uint8_t>(PORTC & ~kLines);
}

void wire_clock(uint32_t hertz) {
  uint32_t cycles = hertz == 0 ? 0xffff : F_CPU / hertz;
  if (cycles < 16) cycles = 16;
  cycles = (cycles - 16) / 2;
  TWBR = static_cast<uint8_t>(cycles > 255 ? 255 : cycles);
}

void wire_timeout(uint32_t microseconds) {
  timeout_us = microseconds;
}

}  // namespace hocket::uno

HOCKET_AVR8_HANDLER(TWI_vect) {
  using namespace hocket::uno;
  const uint8_t status = TWSR & 0xf8;
  WireTalk* const talk = current;
  if (&hocket_wire_slave != nullptr && status >= 0x60 && status != 0xf8) {
    hocket_wire_slave(status);
  } else if (talk != nullptr) {
    step(*talk, status);
  } else {
    TWCR = static_cast<uint8_t>((1 << TWINT) | wire_idle);
  }
#ifndef HOCKET_WITHOUT_LOOPS
  device_ended();
  device_ended();
#endif
}
