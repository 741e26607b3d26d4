// See two_wire.h.
#include "arduino/cores/avr8/two_wire.h"

#include <avr/io.h>
#include <util/delay_basic.h>

#include "arduino/cores/avr8/core.h"
#include "arduino/cores/avr8/device_time.h"

asm(".global hocket_wire_steps\n.reloc 0, R_AVR_NONE, hocket_wire_steps");  // TWI_vect

extern "C" {
/// The talk whose transfer is in progress, followed by waiting ones; null: none.
hocket::uno::WireTalk* volatile hocket_wire_current;
uint8_t hocket_wire_idle = 1 << TWEN;
}

namespace hocket::uno {

volatile bool wire_timed_out;
WireTalk wire_first_talk;
volatile bool wire_serves;

namespace {

constexpr uint8_t kBegin = (1 << TWINT) | (1 << TWEN) | (1 << TWIE) | (1 << TWSTA);
uint32_t timeout_us = 25'000;

/// Aborts: resets the interface, fails the transfer in progress and begins the next one. Masked.
void give_up() {
  WireTalk* const talk = hocket_wire_current;
  if (talk == nullptr) return;
  wire_timed_out = true;
  talk->end = WireEnd::TimedOut;
  hocket_wire_current = talk->behind;
  TWCR = 0;
  TWCR = talk->behind == nullptr ? hocket_wire_idle : kBegin;
}

/// Waits until a stop condition has been sent, about 10 us. (A start would be lost.)
void let_stop_leave() {
  for (uint16_t looks = 2'000; (TWCR & (1 << TWSTO)) != 0 && looks != 0; --looks) {
  }
}

/// In sketches without loops, for which this file is compiled a second time, there is no other
/// user.
#ifdef HOCKET_WITHOUT_LOOPS

void wait_for(const WireTalk& talk) {
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

/// From this duration on a sleep frees more processor time than its two switches cost.
constexpr uint16_t kWorthSleeping = 300 * kTicksPerMicrosecond;
/// us; the longest sleep. A bus may be slower than it should be, and an earlier transfer may fail.
constexpr uint16_t kLongestSleep = 10'000;  // us
constexpr uint16_t kLate = 1'000 * kTicksPerMicrosecond;
/// Each byte, two starts and two addresses cause an interrupt each; the end counts twice.
constexpr uint8_t kSteps = 5;

/// Microseconds until the transfer is done if nothing goes wrong: 9 clocks for each byte, and the
/// time of its interrupt.
uint16_t left(const WireTalk& talk) {
  constexpr uint8_t kInterrupt = 6;
  uint16_t bytes = 0;
  {
    const Masked masked;
    const WireTalk* each = hocket_wire_current;
    if (each != nullptr) bytes = static_cast<uint16_t>(-each->at);
    for (; each != nullptr; each = each->behind) {
      bytes = static_cast<uint16_t>(bytes + each->out_size + each->reads + 2);
      if (each == &talk) break;
    }
  }
  const uint32_t byte = (16 + 2 * TWBR) * 9u / (F_CPU / 1'000'000) + kInterrupt;
  const uint32_t us = bytes * byte;
  return static_cast<uint16_t>(us < kLongestSleep ? us : kLongestSleep);
}

/// A waiting loop that finds the same talk in progress twice sees the same transfer: if that talk
/// had been handed in again, it would come after the waiting loop's.
void wait_for(const WireTalk& talk) {
  uint32_t since = Clock::now();
  const WireTalk* seen = hocket_wire_current;
  while (talk.end == WireEnd::UnderWay) {
    uint32_t sleeps = left(talk) * kTicksPerMicrosecond;
    // The transfer takes longer than it should: the device is slow, or the bus is stuck. Waits as
    // long again each time, because each wake-up is charged to the loop.
    const uint32_t waited = Clock::now() - since;
    if (waited > kLate && waited > sleeps) sleeps = waited;
    if (sleeps >= kWorthSleeping) wait_until(Clock::now() + sleeps);
    const Masked masked;
    if (seen != hocket_wire_current) {
      seen = hocket_wire_current;
      since = Clock::now();
    } else if (timeout_us != 0 && Clock::now() - since > timeout_us * kTicksPerMicrosecond) {
      give_up();
    }
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
#ifndef HOCKET_WITHOUT_LOOPS
  hocket_pay((talk.out_size + reads + kSteps) * kCharacterTicks);
#endif
  for (bool handed_in = false; !handed_in;) {
    let_stop_leave();
    const Masked masked;
    if (WireTalk* last = hocket_wire_current) {
      while (last->behind != nullptr) last = last->behind;
      last->behind = &talk;
#ifndef HOCKET_WITHOUT_LOOPS
    } else if ((TWCR & (1 << TWSTO)) != 0) {
      continue;  // another loop's transfer has just ended
#endif
    } else {
      hocket_wire_current = &talk;
      TWCR = kBegin;
    }
    handed_in = true;
  }
  wait_for(talk);
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
  TWCR = hocket_wire_idle;
}

void wire_end() {
  constexpr uint8_t kLines = (1 << PORTC4) | (1 << PORTC5);
  const Masked masked;
  while (hocket_wire_current != nullptr) give_up();
  TWCR = 0;
  hocket_wire_idle = 1 << TWEN;
  PORTC = static_cast<uint8_t>(PORTC & ~kLines);
}

void wire_clock(uint32_t hertz) {
  uint32_t cycles = hertz == 0 ? 0xffff : F_CPU / hertz;
  if (cycles < 16) cycles = 16;
  cycles = (cycles - 16) / 2;
  TWBR = static_cast<uint8_t>(cycles > 255 ? 255 : cycles);
}

void wire_timeout(uint32_t microseconds) {
  constexpr uint32_t kLongest =
      0x7fff'ffff / kTicksPerMicrosecond;  // the range in which clock values can be compared
  timeout_us = microseconds < kLongest ? microseconds : kLongest;
}

}  // namespace hocket::uno
