#include "simulation/avr/dual_slope.h"

#include <simavr/avr_ioport.h>
#include <simavr/avr_timer.h>
#include <simavr/sim_avr.h>
#include <simavr/sim_cycle_timers.h>
#include <simavr/sim_interrupts.h>
#include <simavr/sim_io.h>

#include <algorithm>
#include <type_traits>

#include "simulation/avr/library_timers.h"

namespace hocket::avr {
namespace {

constexpr uint8_t kClockBits = 7;

/// The top, by the number of the mode (tables 15-8, 16-4 and 18-8); None: a single slope.
enum class Top : uint8_t { None, Bits8, Bits9, Bits10, Input, CompareA };
constexpr Top kTops8[8] = {Top::None, Top::Bits8,    Top::None, Top::None,
                           Top::None, Top::CompareA, Top::None, Top::None};
constexpr Top kTops16[16] = {Top::None,  Top::Bits8,    Top::Bits9, Top::Bits10,
                             Top::None,  Top::None,     Top::None,  Top::None,
                             Top::Input, Top::CompareA, Top::Input, Top::CompareA,
                             Top::None,  Top::None,     Top::None,  Top::None};

uint32_t value_at(const avr_t* avr, uint16_t address, bool wide) {
  return avr->data[address] | (wide ? static_cast<uint32_t>(avr->data[address + 1]) << 8 : 0u);
}

}  // namespace

void DualSlope::join(avr_t* avr, const ChipModel& chip) {
  static_assert(std::is_same_v<avr_io_addr_t, uint16_t>);
  avr_ = avr;
  chip_ = &chip;
  for_each_timer(avr, [&](unsigned number, avr_timer_t& library) {
    Timer& timer = timers_[number];
    timer.all = this;
    timer.library = &library;
    timer.number = number;
    const TimerModel& registers = registers_of(number);
    auto& writes = writes_[number];
    take_over(writes[0], timer, registers.control_a, &control_written);
    take_over(writes[1], timer, registers.control_b, &control_written);
    take_over(writes[2], timer, registers.counter, &counter_written);
    auto& read = avr->io[AVR_DATA_TO_IO(registers.counter)].r;
    reads_[number] = {read.c, read.param};
    read.c = &read_low;
    read.param = &timer;
  });
}

/// Not with avr_register_io_write(): the library allows only a few registers with two callbacks.
void DualSlope::take_over(Write& write, Timer& timer, uint16_t address, Function* function) {
  auto& library = avr_->io[AVR_DATA_TO_IO(address)].w;
  write = {&timer, library.c, library.param};
  library.c = function;
  library.param = &write;
}

unsigned DualSlope::mode_of(const Timer& timer) const {
  const TimerModel& registers = registers_of(timer.number);
  const unsigned a = avr_->data[registers.control_a], b = avr_->data[registers.control_b];
  return registers.wide ? (a & 3) | (b >> 1 & 0xc) : (a & 3) | (b >> 1 & 4);
}
uint64_t DualSlope::per_count_of(const Timer& timer) const {
  return cycles_per_count(*timer.library, avr_->data[registers_of(timer.number).control_b]);
}

void DualSlope::control_written(avr_t* avr, uint16_t address, uint8_t value, void* parameter) {
  const Write& write = *static_cast<Write*>(parameter);
  write.library(avr, address, value, write.parameter);
  Timer& timer = *write.timer;
  DualSlope& all = *timer.all;
  const unsigned mode = all.mode_of(timer);
  const Top top = all.registers_of(timer.number).wide ? kTops16[mode] : kTops8[mode];
  const uint64_t per_count = all.per_count_of(timer);
  if (top == Top::None || per_count == 0) return all.end(timer);
  if (timer.runs && mode == timer.mode && per_count == timer.per_count) return;
  all.end(timer);
  all.begin(timer, mode, per_count);
}

/// The library stops its own counting when no clock is selected, so it is shown no clock.
void DualSlope::begin(Timer& timer, unsigned mode, uint64_t per_count) {
  const uint16_t control = registers_of(timer.number).control_b;
  const uint8_t written = avr_->data[control];
  const Write& write = writes_[timer.number][1];
  write.library(avr_, control, static_cast<uint8_t>(written & ~kClockBits), write.parameter);
  avr_->data[control] = written;
  timer.runs = true;
  timer.mode = mode;
  timer.per_count = per_count;
  timer.begun = avr_->cycle;
  latch(timer);
  timer.phase = next_phase(timer);
  avr_cycle_timer_register(avr_, timer.phase * per_count, &event, &timer);
}

void DualSlope::end(Timer& timer) {
  if (!timer.runs) return;
  timer.runs = false;
  avr_cycle_timer_cancel(avr_, &event, &timer);
}

/// At the top the new register values take effect.
void DualSlope::latch(Timer& timer) {
  const TimerModel& registers = registers_of(timer.number);
  for (unsigned output = 0; output < kOutputs; ++output) {
    const uint16_t compare = registers.compare[output];
    timer.compares[output] = compare == 0 ? 0 : value_at(avr_, compare, registers.wide);
  }
  switch (registers.wide ? kTops16[timer.mode] : kTops8[timer.mode]) {
    case Top::Bits9:
      timer.top = 0x1ff;
      break;
    case Top::Bits10:
      timer.top = 0x3ff;
      break;
    case Top::Input:
      timer.top = value_at(avr_, registers.input, true);
      break;
    case Top::CompareA:
      timer.top = timer.compares[0];
      break;
    default:
      timer.top = 0xff;
      break;
  }
  timer.top = std::max<uint32_t>(timer.top, 1);
}

/// The next phase at which something happens; a turn's length: the next bottom.
uint32_t DualSlope::next_phase(const Timer& timer) const {
  const uint32_t turn = 2 * timer.top;
  uint32_t next = timer.phase < timer.top ? timer.top : turn;
  for (const uint32_t compare : timer.compares) {
    if (compare == 0 || compare >= timer.top) continue;
    for (const uint32_t at : {compare, turn - compare}) {
      if (at > timer.phase) next = std::min(next, at);
    }
  }
  return next;
}

uint64_t DualSlope::event(avr_t*, uint64_t, void* parameter) {
  Timer& timer = *static_cast<Timer*>(parameter);
  DualSlope& all = *timer.all;
  if (timer.phase >= 2 * timer.top) {
    timer.begun += timer.phase * timer.per_count;
    timer.phase = 0;
  }
  all.arrive(timer);
  timer.phase = all.next_phase(timer);
  return timer.begun + timer.phase * timer.per_count;
}

void DualSlope::arrive(Timer& timer) {
  const bool bottom = timer.phase == 0;
  if (bottom) avr_raise_interrupt(avr_, &timer.library->overflow);
  for (unsigned output = 0; output < kOutputs; ++output) {
    if (registers_of(timer.number).compare[output] == 0) continue;
    const uint32_t at = timer.compares[output];
    if (at == 0 || at >= timer.top) {  // constant level
      if (at == 0 ? bottom : timer.phase == timer.top) {
        avr_raise_interrupt(avr_, &timer.library->comp[output].interrupt);
      }
      if (bottom) show(timer, output, at != 0);
    } else if (timer.phase == at || timer.phase == 2 * timer.top - at) {
      compare(timer, output, timer.phase == at);
    }
  }
  if (timer.phase == timer.top) {
    const uint64_t now = timer.begun + timer.phase * timer.per_count;
    latch(timer);
    timer.phase = timer.top;  // the top may have changed; the way down begins
    timer.begun = now - timer.phase * timer.per_count;
  }
}

void DualSlope::compare(Timer& timer, unsigned output, bool up) {
  avr_raise_interrupt(avr_, &timer.library->comp[output].interrupt);
  show(timer, output, !up);
}

/// By the output's mode: 2 is this level, 3 the other one; 1 toggles (only if the top is compare
/// A's).
void DualSlope::show(Timer& timer, unsigned output, bool high) {
  const unsigned control = avr_->data[registers_of(timer.number).control_a];
  const unsigned mode = control >> (6 - 2 * output) & 3;
  if (mode < 2) return;
  avr_irq_t* const irq = timer.library->io.irq + TIMER_IRQ_OUT_COMP + output;
  avr_raise_irq(irq, AVR_IOPORT_OUTPUT | static_cast<unsigned>(high == (mode == 2)));
}

uint32_t DualSlope::count(const Timer& timer) const {
  const uint64_t phase = (avr_->cycle - timer.begun) / timer.per_count % (2ull * timer.top);
  return static_cast<uint32_t>(phase <= timer.top ? phase : 2 * timer.top - phase);
}

/// Reading the counter's low byte latches the high byte.
uint8_t DualSlope::read_low(avr_t* avr, uint16_t address, void* parameter) {
  Timer& timer = *static_cast<Timer*>(parameter);
  const Read& read = timer.all->reads_[timer.number];
  if (!timer.runs) return read.library(avr, address, read.parameter);
  const uint32_t count = timer.all->count(timer);
  if (timer.all->registers_of(timer.number).wide)
    avr->data[address + 1] = static_cast<uint8_t>(count >> 8);
  return avr->data[address] = static_cast<uint8_t>(count);
}

/// The counter counts up from the written value.
void DualSlope::counter_written(avr_t* avr, uint16_t address, uint8_t value, void* parameter) {
  const Write& write = *static_cast<Write*>(parameter);
  Timer& timer = *write.timer;
  if (!timer.runs) return write.library(avr, address, value, write.parameter);
  avr->data[address] = value;
  DualSlope& all = *timer.all;
  const TimerModel& registers = all.registers_of(timer.number);
  const uint32_t count = std::min(value_at(avr, registers.counter, registers.wide), timer.top - 1);
  all.end(timer);
  all.begin(timer, timer.mode, timer.per_count);
  timer.begun = avr->cycle - count * timer.per_count;
  timer.phase = count;
  timer.phase = all.next_phase(timer);
  avr_cycle_timer_register(avr, (timer.phase - count) * timer.per_count, &event, &timer);
}

}  // namespace hocket::avr
