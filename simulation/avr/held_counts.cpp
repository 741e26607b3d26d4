#include "simulation/avr/held_counts.h"

#include <simavr/avr_timer.h>
#include <simavr/sim_avr.h>
#include <simavr/sim_cycle_timers.h>
#include <simavr/sim_interrupts.h>
#include <simavr/sim_io.h>

#include "simulation/avr/library_timers.h"

namespace hocket::avr {
namespace {

// Bits of control registers A and B: mode and clock.
constexpr uint8_t kModeOfA = 3, kModeAndClockOfB = 0x1f, kClockOfB = 7;

}  // namespace

bool HeldCounts::Timer::counts() const {
  return (avr->data[control_b] & kClockOfB) != 0;
}
bool HeldCounts::Timer::wide() const {
  return library->r_tcnth != 0;
}

uint32_t HeldCounts::Timer::count_now() {
  if (!counts()) return held;
  const uint32_t low = read(avr, counter, read_parameter);
  return wide() ? low | static_cast<uint32_t>(avr->data[counter + 1]) << 8 : low;
}

/// The library counts from `tov_base` on, and plans its events anew from there when a compare
/// register is written. Where it does not count (both slopes, a clock at a pin) it takes the count
/// as it is written.
void HeldCounts::Timer::go_on_at(uint32_t value) {
  avr->data[counter] = static_cast<uint8_t>(value);
  if (wide()) avr->data[counter + 1] = static_cast<uint8_t>(value >> 8);
  if (library->tov_cycles <= 1) {
    count.before(avr, counter, avr->data[counter], count.parameter);
    return;
  }
  const uint64_t per_count = library->tov_cycles / (uint64_t{library->tov_top} + 1);
  library->tov_base = avr->cycle - (value > library->tov_top ? 0 : value) * per_count;
  const uint16_t address = library->comp[AVR_TIMER_COMPA].r_ocr;
  const uint8_t same = avr->data[address];
  avr->data[address] = static_cast<uint8_t>(~same);  // it checks whether the value has changed
  ++avr->cycle;  // else it would take a match that is over, at the end of the count before, for one
                 // to come
  compare.before(avr, address, same, compare.parameter);
  --avr->cycle;
}

/// A clock has been selected; or another one, or another mode, before the first count.
void HeldCounts::Timer::begin() {
  const uint16_t per_count = cycles_per_count(*library, avr->data[control_b]);
  fresh = !written && per_count != 0;
  if (fresh) avr_cycle_timer_register(avr, per_count, &HeldCounts::first_match, this);
  written = false;
}

/// The count that follows `held`, at which the clock was selected.
uint64_t HeldCounts::first_match(avr_t* avr, uint64_t, void* parameter) {
  Timer& timer = *static_cast<Timer*>(parameter);
  timer.fresh = false;
  if (timer.library->tov_cycles > 1) return 0;  // the library counts, and has matched
  for (const unsigned output : {AVR_TIMER_COMPA, AVR_TIMER_COMPB}) {
    avr_timer_comp_t& compare = timer.library->comp[output];
    const uint32_t high = timer.wide() ? avr->data[compare.r_ocrh] : 0u;
    const uint32_t value = avr->data[compare.r_ocr] | high << 8;
    if (value == timer.held) avr_raise_interrupt(avr, &compare.interrupt);
  }
  return 0;
}

/// Suppresses the change of its pin in each cycle.
uint64_t HeldCounts::cycle(avr_t*, uint64_t now, void* parameter) {
  Timer& timer = *static_cast<Timer*>(parameter);
  avr_raise_interrupt(timer.avr, &timer.library->comp[AVR_TIMER_COMPA].interrupt);
  avr_timer_comp_t& other = timer.library->comp[AVR_TIMER_COMPB];
  const uint16_t high = other.r_ocrh;
  if (timer.avr->data[other.r_ocr] == 0 && (high == 0 || timer.avr->data[high] == 0)) {
    avr_raise_interrupt(timer.avr, &other.interrupt);
  }
  return now + 1;
}

void HeldCounts::Timer::look_at_top() {
  const bool zero = library->wgm_op_mode_kind == avr_timer_wgm_ctc && library->tov_cycles == 1;
  if (zero == each_cycle) return;
  each_cycle = zero;
  if (zero) {
    avr_cycle_timer_register(avr, 1, &HeldCounts::cycle, this);
  } else {
    avr_cycle_timer_cancel(avr, &HeldCounts::cycle, this);
  }
}

/// The library clears a count only where it takes the write for another clock or mode.
void HeldCounts::control_written(avr_t* avr, uint16_t address, uint8_t value, void* parameter) {
  const Write& write = *static_cast<Write*>(parameter);
  Timer& timer = *write.timer;
  const auto selected = [&] {
    return (avr->data[timer.control_a] & kModeOfA) << 8 |
           (avr->data[timer.control_b] & kModeAndClockOfB);
  };
  const int before = selected();
  const bool stood = !timer.counts();
  const uint32_t count = timer.count_now();
  write.before(avr, address, value, write.parameter);
  if (!timer.counts()) {
    timer.held = count;
    timer.fresh = false;
    avr_cycle_timer_cancel(avr, &first_match, &timer);
  } else if (selected() != before) {
    timer.go_on_at(count);
    if (stood || timer.fresh) timer.begin();
  }
  timer.look_at_top();
}

void HeldCounts::counter_written(avr_t* avr, uint16_t, uint8_t value, void* parameter) {
  Timer& timer = *static_cast<Write*>(parameter)->timer;
  const uint32_t high = timer.wide() ? static_cast<uint32_t>(avr->data[timer.counter + 1]) << 8 : 0;
  if (timer.counts()) {
    timer.fresh = false;
    avr_cycle_timer_cancel(avr, &first_match, &timer);
    timer.go_on_at(high | value);
  } else {
    timer.written = true;
    timer.held = high | value;
    avr->data[timer.counter] = value;
  }
}

/// A top of 0 has invalidated the library's `tov_base`.
void HeldCounts::compare_written(avr_t* avr, uint16_t address, uint8_t value, void* parameter) {
  const Write& write = *static_cast<Write*>(parameter);
  if (write.timer->each_cycle) write.timer->library->tov_base = avr->cycle;
  write.before(avr, address, value, write.parameter);
  write.timer->look_at_top();
}

uint8_t HeldCounts::counter_read(avr_t* avr, uint16_t address, void* parameter) {
  Timer& timer = *static_cast<Timer*>(parameter);
  if (timer.counts()) return timer.read(avr, address, timer.read_parameter);
  if (timer.wide()) avr->data[address + 1] = static_cast<uint8_t>(timer.held >> 8);
  return avr->data[address] = static_cast<uint8_t>(timer.held);
}

/// Not with avr_register_io_write(): the library allows only a few registers with two callbacks.
void HeldCounts::take_over(Timer& timer, Write& write, uint16_t address, Function* function) {
  auto& library = timer.avr->io[AVR_DATA_TO_IO(address)].w;
  write = {&timer, library.c, library.param};
  library.c = function;
  library.param = &write;
}

void HeldCounts::join(avr_t* avr) {
  for_each_timer(avr, [&](unsigned number, avr_timer_t& library) {
    Timer& timer = timers_[number];
    timer.avr = avr;
    timer.library = &library;
    timer.counter = library.r_tcnt;
    timer.control_a = library.wgm[0].reg;
    timer.control_b = library.cs[0].reg;
    take_over(timer, timer.controls[0], timer.control_a, &control_written);
    take_over(timer, timer.controls[1], timer.control_b, &control_written);
    take_over(timer, timer.count, timer.counter, &counter_written);
    take_over(timer, timer.compare, library.comp[AVR_TIMER_COMPA].r_ocr, &compare_written);
    auto& read = avr->io[AVR_DATA_TO_IO(timer.counter)].r;
    timer.read = read.c;
    timer.read_parameter = read.param;
    read.c = &counter_read;
    read.param = &timer;
  });
}

}  // namespace hocket::avr
