// Storm control (storm.h).
#include "arduino/cores/avr8/storm.h"

#include <avr/io.h>

#include "arduino/cores/avr8/core.h"
#include "arduino/cores/avr8/kernel_costs.h"
#include "ports/avr8/port.h"

namespace hocket::uno {

extern "C" {
// Numbers, not addresses: ticks, and units of StormTime (sketch.ld; interruptsVcpu()).
extern const uint8_t hocket_handlers_budget[], hocket_handlers_period[];
extern uint8_t hocket_spi_closed __attribute__((weak));  // spi_bus.cpp
extern uint8_t hocket_spi_opens __attribute__((weak));
// clang for AVR emits these only as undefined
asm(".weak hocket_spi_closed, hocket_spi_opens");
WaitingSections hocket_waiting_sections;
}

namespace {

constexpr uint8_t kExternal = (1 << kFirstPort) - 1;

/// Masked. The number of overflows that have not been counted.
uint8_t uncounted(uint8_t high) {
  return (TIFR1 & 1 << TOV1) != 0 && high < 0x80 ? 1 : 0;
}
StormTime storm_time(uint16_t counter) {
  const auto high = static_cast<uint8_t>(counter >> 8);
  const uint32_t turns = uint32_t{hocket_clock_turns[1]} << 16 | hocket_clock_turns[0];
  return (turns + uncounted(high)) << 8 | high;
}
/// The lower half of the time, for intervals of up to 8 s.
uint16_t short_time(uint16_t counter) {
  const auto high = static_cast<uint8_t>(counter >> 8);
  const auto turns = static_cast<uint8_t>(hocket_clock_turns[0]);
  return static_cast<uint16_t>((turns + uncounted(high)) << 8 | high);
}

uint16_t budget() {
  return reinterpret_cast<uint16_t>(hocket_handlers_budget);
}
uint16_t period() {
  return reinterpret_cast<uint16_t>(hocket_handlers_period);
}

/// `before` + `ticks`, saturated: what is used up stays used up.
uint16_t more(uint16_t before, uint16_t ticks) {
  const auto sum = static_cast<uint16_t>(before + ticks);
  return sum < ticks ? 0xffff : sum;
}

/// The attached lines that are enabled.
uint8_t open() {
  return hocket_storm.attached & static_cast<uint8_t>((EIMSK & kExternal) | PCICR << kFirstPort);
}
/// Sets timer 0's prescaler, whatever the sketch has set: a match that comes more often would take
/// the loops' time.
void set_matches() {
  TCCR0B = 1 << CS01 | 1 << CS00;
  if ((TCCR0A & (1 << WGM01 | 1 << WGM00)) == 1 << WGM01) TCCR0A |= 1 << WGM00;
}
/// Masks the open lines and returns them. From now on matches of timer 0 interrupt.
uint8_t close() {
  const uint8_t closing = open();
  EIMSK = static_cast<uint8_t>(EIMSK & ~(closing & kExternal));
  PCICR = static_cast<uint8_t>(PCICR & ~(closing >> kFirstPort));
  if ((TIMSK0 & 1 << OCIE0A) != 0) return closing;
  set_matches();
  TIFR0 = 1 << OCF0A;
  TIMSK0 |= 1 << OCIE0A;
  return closing;
}
void hold() {
  Storm& storm = hocket_storm;
  storm.held |= close();
  ++storm.times;
  storm.used = more(storm.used, kHold);
}

/// Masked. So many ticks that have just passed are not the running loop's.
void pass_over(uint16_t ticks) {
  if (avr8::flag<avr8::kKernel>()) {
    // Within a section of the kernel, but not the loop's time (switch.S).
    hocket_taken_in_section = static_cast<uint16_t>(hocket_taken_in_section + ticks);
    avr8::set_flag<avr8::kRecorded>();
  } else if (!avr8::flag<avr8::kIdle>()) {
    hocket_pass_over(ticks);
  }
}

/// The lines that may be enabled: a transaction on the SPI bus keeps others masked until it ends.
uint8_t held() {
  const uint8_t closed = &hocket_spi_closed != nullptr ? hocket_spi_closed : 0;
  return hocket_storm.held & static_cast<uint8_t>(~(closed & kExternal));
}
/// The lines with a pending edge. (A level sets no flag: it may persist.)
uint8_t kept() {
  const uint8_t flags = static_cast<uint8_t>((EIFR & kExternal) | PCIFR << kFirstPort);
  uint8_t levels = 0;
  if ((EICRA & 3) == 0) levels = 1;
  if ((EICRA & 12) == 0) levels |= 2;
  return flags | levels;
}
uint8_t waiting() {
  return held() & kept();
}
/// The next pending line in round-robin order, or all lines if none is pending. Only a line that is
/// enabled alone is sure to be served, and only then has it had its turn.
uint8_t next_to_come() {
  const uint8_t waits = waiting();
  if (waits == 0) return held();
  uint8_t line = hocket_storm.turn;
  do {
    line = static_cast<uint8_t>(line << 1);
    if ((line & 0x1f) == 0) line = 1;
  } while ((line & waits) == 0);
  if (open() == 0) hocket_storm.turn = line;
  return line;
}

/// Enables the lines that sections held back: now, or at the refill if lines are also held back by
/// storm control. A line that an SPI transaction keeps masked is enabled at its end.
void end_sections() {
  WaitingSections& sections = hocket_waiting_sections;
  uint8_t lines = sections.closed & hocket_storm.attached;
  sections.closed = 0;
  if (&hocket_spi_closed != nullptr && hocket_spi_closed != 0xff) {
    hocket_spi_opens |= lines & hocket_spi_closed & kExternal;
    lines &= static_cast<uint8_t>(~(hocket_spi_closed & kExternal));
  }
  if (hocket_storm.held != 0) {
    hocket_storm.held |= lines;
    return;
  }
  EIMSK |= lines & kExternal;
  PCICR |= lines >> kFirstPort;
  TIMSK0 &= static_cast<uint8_t>(~(1 << OCIE0A));
}
/// At a match. Whether sections still hold handlers back.
bool sections_hold() {
  WaitingSections& sections = hocket_waiting_sections;
  if (sections.loops == 0) return false;
  if (((sections.closed | hocket_storm.held) & kept()) == 0) sections.matches = 0;
  if (++sections.matches < sections.limit) return true;
  sections.matches = 0;
  sections.loops = 0;
  sections.overdue = sections.loop;
  if (sections.times != 0xff) ++sections.times;
  end_sections();
  return false;
}

void give_back() {
  Storm& storm = hocket_storm;
  storm.used = storm.used > budget() ? storm.used - budget() : 0;
}

}  // namespace

/// The budget seems to be used up, but it may have been replenished since.
extern "C" uint16_t hocket_look_at_handlers() {
  Storm& storm = hocket_storm;
  const StormTime now = storm_time(TCNT1);
  if (now - storm.since >= period()) {
    // In a storm the refill advances by one period, however late it is noticed.
    storm.since = storm.held != 0 ? storm.since + period() : now;
    give_back();
  }
  if (storm.used >= budget()) hold();
  return kHold;
}

extern "C" void hocket_handler_ended(uint16_t began, uint8_t flags) {
  Storm& storm = hocket_storm;
  // In this order: an overflow after the reading of the counter is not part of the handler's time.
  const uint8_t ended = TIFR1;
  const uint16_t counter = TCNT1;
  const auto between = static_cast<uint16_t>(counter - began);
  const auto took = static_cast<uint16_t>(between + kFrame);
  // Has the counter wrapped and reached its old value or more? Then the time is more than can be
  // represented.
  const uint8_t turned = static_cast<uint8_t>(~flags) & ended & 1 << TOV1;
  const bool long_one = (turned != 0 && counter >= began) || took < between;
  storm.used = long_one ? 0xffff : more(storm.used, took);
  const uint16_t looked = storm.used >= budget() ? hocket_look_at_handlers() : 0;
  pass_over(static_cast<uint16_t>(took + looked));
}

extern "C" void hocket_section_waits() {
  WaitingSections& sections = hocket_waiting_sections;
  LoopInSection self;
  hocket_loop_in_section(&self);
  if (sections.loops == 0) {
    sections.limit = 0;
    // Whether this is the section in which the loop has waited before: if handlers are pending and
    // none has been called since, it is.
    const bool same = (hocket_storm.attached & kept()) != 0 && hocket_storm.used == sections.used;
    if (!same) sections.matches = 0;
  }
  sections.loops |= self.bit;
  if (sections.limit <= self.matches) {
    sections.limit = self.matches;
    sections.loop = self.id;
  }
  if (sections.most < self.matches) sections.most = self.matches;
  sections.closed |= close();
  if (&hocket_spi_opens != nullptr) {  // what the end of a transaction would have enabled
    sections.closed |= hocket_spi_opens;
    hocket_spi_opens = 0;
  }
}
extern "C" void hocket_section_goes_on() {
  WaitingSections& sections = hocket_waiting_sections;
  LoopInSection self;
  hocket_loop_in_section(&self);
  if ((sections.loops & self.bit) == 0) return;
  sections.loops &= static_cast<uint8_t>(~self.bit);
  if (sections.loops != 0) return;
  sections.used = hocket_storm.used;
  end_sections();
}

HOCKET_AVR8_HANDLER(hocket_refill) {
  Storm& storm = hocket_storm;
  set_matches();  // again: a loop may have written to the timer since
  uint16_t took = kLook;
  const uint16_t counter = TCNT1;
  // (What storm control holds back has been so for less than a period, or waits for its turn. Where
  // only sections hold lines, the budget may have been whole for any time.)
  const auto since = static_cast<uint16_t>(storm.since);
  if (static_cast<uint16_t>(short_time(counter) - since) >= period()) {
    storm.since = storm.held != 0 ? storm.since + period() : storm_time(counter);
    give_back();
  }
  const bool held_by_sections = sections_hold();
  if (!held_by_sections && storm.used < budget() && storm.held != 0) {
    took += kLetIn;
    const uint8_t coming = next_to_come();  // none during a transaction that masks all
    storm.held &= static_cast<uint8_t>(~coming);
    EIMSK |= coming & kExternal;
    PCICR |= coming >> kFirstPort;
  }
  if (!held_by_sections && storm.held == 0) TIMSK0 &= static_cast<uint8_t>(~(1 << OCIE0A));
  storm.used = more(storm.used, took);
  // A loop that makes timer 0 faster pays for the matches that it causes: without that, looks take
  // no more of a period than a budget, and no handler more than kLongestHandler.
  const uint16_t most = budget() + 2 * kLongestHandler;
  if (storm.used < budget() || static_cast<uint16_t>(storm.used - budget()) <= most)
    pass_over(took);
}

}  // namespace hocket::uno
