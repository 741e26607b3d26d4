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
constexpr LineSet kAllLines = (1 << (kFirstPort + Chip::kChangeLines)) - 1;
/// In WaitingSections::closed: sections have held lines back for as long as they may, and no line
/// has had its turn since.
constexpr LineSet kOverdue = LineSet{1} << (8 * sizeof(LineSet) - 1);

/// Masked. The number of overflows that have not been counted.
uint8_t uncounted(uint8_t high) {
  return (CLOCK_FLAGS & 1 << TOV1) != 0 && high < 0x80 ? 1 : 0;
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
LineSet open() {
  return hocket_storm.attached & static_cast<LineSet>((EIMSK & kExternal) | PCICR << kFirstPort);
}
/// The lines with a pending edge. (A level sets no flag: it may persist.)
LineSet kept() {
  auto lines = static_cast<LineSet>((EIFR & kExternal) | PCIFR << kFirstPort);
  const uint8_t sense = EICRA;
  if ((sense & 3) == 0) lines |= 1;
  if ((sense & 12) == 0) lines |= 2;
#ifdef EICRB
  if ((sense & 0x30) == 0) lines |= 4;
  if ((sense & 0xc0) == 0) lines |= 8;
  const uint8_t further = EICRB;
  if ((further & 3) == 0) lines |= 0x10;
  if ((further & 12) == 0) lines |= 0x20;
#endif
  return lines;
}
/// Sets timer 0's prescaler, whatever the sketch has set: a match that comes more often would take
/// the loops' time.
void set_matches() {
  TCCR0B = 1 << CS01 | 1 << CS00;
  if ((TCCR0A & (1 << WGM01 | 1 << WGM00)) == 1 << WGM01) TCCR0A |= 1 << WGM00;
}
/// The lines that a transaction on the SPI bus keeps masked. (One that masks all interrupts is a
/// section like any other: if its loop waits, others run with interrupts enabled.)
uint8_t in_transaction() {
  if (&hocket_spi_closed == nullptr || hocket_spi_closed == 0xff) return 0;
  return hocket_spi_closed & kExternal;
}
/// From now on matches of timer 0 interrupt.
void begin_matches() {
  if ((TIMSK0 & 1 << OCIE0A) != 0) return;
  set_matches();
  TIFR0 = 1 << OCF0A;
  TIMSK0 |= 1 << OCIE0A;
}
/// Masks the open lines and returns them, with those that a transaction's end would have enabled.
/// From now on matches of timer 0 interrupt.
LineSet close() {
  LineSet closing = open();
  if (&hocket_spi_opens != nullptr) {  // (with those of an own ISR(), which stay as they are)
    closing |= hocket_spi_opens & hocket_storm.attached;
    hocket_spi_opens &= static_cast<uint8_t>(~hocket_storm.attached);
  }
  EIMSK = static_cast<uint8_t>(EIMSK & ~(closing & kExternal));
  PCICR = static_cast<uint8_t>(PCICR & ~(closing >> kFirstPort));
  begin_matches();
  return closing;
}
/// Several lines have an edge that waits. Where they are enabled together for a short time again
/// and again, the lowest vector's storm may be all that is served.
[[gnu::always_inline]] inline bool crowded(LineSet pending) {
  return (pending & (pending - 1)) != 0;
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

[[gnu::always_inline]] inline void enable_now(LineSet lines) {
  EIMSK |= lines & kExternal;
  PCICR |= lines >> kFirstPort;
}
/// Enables the lines. Those that a transaction keeps masked are enabled at its end.
void enable(LineSet lines) {
  const uint8_t later = lines & in_transaction();
  if (later != 0) {
    hocket_spi_opens |= later;
    lines &= static_cast<LineSet>(~later);
  }
  enable_now(lines);
}
/// Enables the next pending line in round-robin order, or all lines that storm control holds back
/// if none is pending. Only a line that is enabled alone is sure to be served, and only then has it
/// had its turn. If a transaction keeps the next line masked, the turn waits for its end, and none
/// is enabled (false): no other line may use the budget, or a line could miss each of its turns.
bool let_next_in() {
  Storm& storm = hocket_storm;
  LineSet& closed = hocket_waiting_sections.closed;
  LineSet coming = storm.held;
  const LineSet waits = coming & kept();
  if (waits != 0) {
    coming = waits;
    if ((waits & (waits - 1)) != 0) {  // more than one
      coming = storm.turn;
      do {
        coming = static_cast<LineSet>(coming << 1);
        if ((coming & kAllLines) == 0) coming = 1;
      } while ((coming & waits) == 0);
    }
    if ((coming & in_transaction()) != 0) {
      closed |= coming;
      return false;
    }
    if (open() == 0) storm.turn = coming;
  }
  storm.held &= static_cast<LineSet>(~coming);
  closed &= static_cast<LineSet>(~(kOverdue | coming));
  if (waits != 0) {
    enable_now(coming);
  } else {
    enable(coming);
  }
  return true;
}
/// The end of a section or of a transaction, which the turn of a line may have waited for. (The
/// next match may come within another one.)
void let_next_in_now() {
  const Storm& storm = hocket_storm;
  if (storm.held != 0 && hocket_waiting_sections.loops.empty() && storm.used < budget())
    let_next_in();
}

/// Enables the lines that sections held back: now, or at the refill if lines are also held back by
/// storm control.
void end_sections() {
  WaitingSections& sections = hocket_waiting_sections;
  const LineSet lines = sections.closed & hocket_storm.attached;
  sections.closed = 0;
  if (hocket_storm.held != 0 || hocket_storm.used >= budget()) {
    hocket_storm.held |= lines;
    return;
  }
  sections.closed = lines & in_transaction();
  enable(lines);
  TIMSK0 &= static_cast<uint8_t>(~(1 << OCIE0A));
}
/// At a match, which takes kEnd longer if it ends sections. Whether sections still hold handlers
/// back.
bool sections_hold() {
  WaitingSections& sections = hocket_waiting_sections;
  if (sections.loops.empty()) return false;
  if (((sections.closed | hocket_storm.held) & kept()) == 0) sections.matches = 0;
  if (++sections.matches < sections.limit) return true;
  sections.matches = 0;
  sections.loops.clear();
  sections.overdue = sections.loop;
  if (sections.times != 0xff) ++sections.times;
  end_sections();
  hocket_storm.used = more(hocket_storm.used, kEnd);
  pass_over(kEnd);
  if ((hocket_storm.held | sections.closed) != 0) sections.closed |= kOverdue;
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
  const StormTime now = storm_time(CLOCK_COUNT);
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
  const uint8_t ended = CLOCK_FLAGS;
  const uint16_t counter = CLOCK_COUNT;
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
  if (sections.most < self.matches) sections.most = self.matches;
  LineSet closed = sections.closed;
  if ((closed & kOverdue) != 0) {
    // A transaction or the budget has kept a line from its turn since. The line comes first.
    closed &= static_cast<LineSet>(~kOverdue);
    if ((hocket_storm.held | closed) != 0) return;
  }
  const LineSet pending = hocket_storm.attached & kept();
  if (sections.loops.empty()) {
    sections.limit = 0;
    // Whether this is the section in which the loop has waited before: if handlers are pending and
    // none has been called since, it is. So it is for a line that has not been enabled since.
    const bool same =
        (pending != 0 && hocket_storm.used == sections.used) || (pending & closed & ~open()) != 0;
    if (!same) sections.matches = 0;
  }
  sections.loops.add(self.mark);
  if (sections.limit <= self.matches) {
    sections.limit = self.matches;
    sections.loop = self.id;
  }
  const LineSet closing = close();
  if (crowded(pending & closing)) {
    hocket_storm.held |= closing;
  } else {
    closed |= closing;
  }
  sections.closed = closed;
}
extern "C" void hocket_section_goes_on() {
  WaitingSections& sections = hocket_waiting_sections;
  LoopInSection self;
  hocket_loop_in_section(&self);
  if (!sections.loops.has(self.mark)) return;
  sections.loops.remove(self.mark);
  if (!sections.loops.empty()) return;
  sections.used = hocket_storm.used;
  end_sections();
  let_next_in_now();
}
extern "C" void hocket_transaction_ended(uint8_t opens) {
  const uint8_t attached = opens & hocket_storm.attached;
  if (crowded(attached & kept())) begin_matches();
  if ((TIMSK0 & 1 << OCIE0A) != 0) {
    hocket_storm.held |= attached;
    opens &= static_cast<uint8_t>(~attached);
  }
  EIMSK |= opens;
  if (hocket_waiting_sections.loops.empty()) {
    hocket_waiting_sections.closed &= static_cast<LineSet>(~open());
  }
  let_next_in_now();
}

HOCKET_AVR8_HANDLER(hocket_refill) {
  Storm& storm = hocket_storm;
  set_matches();  // again: a loop may have written to the timer since
  uint16_t took = kLook;
  const uint16_t counter = CLOCK_COUNT;
  // (What storm control holds back has been so for less than a period, or waits for its turn. Where
  // only sections hold lines, the budget may have been whole for any time.)
  const auto since = static_cast<uint16_t>(storm.since);
  if (static_cast<uint16_t>(short_time(counter) - since) >= period()) {
    storm.since = storm.held != 0 ? storm.since + period() : storm_time(counter);
    give_back();
  }
  const bool held_by_sections = sections_hold();
  if (!held_by_sections && storm.used < budget() && storm.held != 0 && let_next_in()) {
    took += kLetIn;
  }
  // (A handler may have been detached: the next one is attached when there is budget.)
  if (!held_by_sections && storm.held == 0 && storm.used < budget()) {
    TIMSK0 &= static_cast<uint8_t>(~(1 << OCIE0A));
  }
  storm.used = more(storm.used, took);
  // A loop that makes timer 0 faster pays for the matches that it causes: without that, looks take
  // no more of a period than a budget, and no handler more than kLongestHandler.
  const uint16_t most = budget() + 2 * kLongestHandler;
  if (storm.used < budget() || static_cast<uint16_t>(storm.used - budget()) <= most)
    pass_over(took);
}

}  // namespace hocket::uno
