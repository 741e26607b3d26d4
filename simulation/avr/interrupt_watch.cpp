#include "simulation/avr/interrupt_watch.h"

namespace hocket::avr {
namespace {

// At most 8 characters each, for the log.
constexpr const char* kNames[InterruptWatch::kCount] = {
    "RESET",    "INT0",     "INT1",     "PCINT0",   "PCINT1",   "PCINT2",   "WDT",
    "TIMER2_A", "TIMER2_B", "TIMER2_O", "TIMER1_C", "TIMER1_A", "TIMER1_B", "TIMER1_O",
    "TIMER0_A", "TIMER0_B", "TIMER0_O", "SPI",      "USART_RX", "USART_DE", "USART_TX",
    "ADC",      "EEPROM",   "ANALOG",   "TWI",      "SPM"};

}  // namespace

const char* InterruptWatch::name(unsigned number) {
  return number < kCount ? kNames[number] : "?";
}

void InterruptWatch::name_them() {
  for (unsigned i = 1; i < kCount; ++i) log_.name_interrupt(i, kNames[i]);
}

void InterruptWatch::begin(const Mcu& mcu, uint16_t thread) {
  const unsigned number = mcu.entered();
  running_.push_back({number, mcu.cycle(), SectionWatch::flag(mcu, avr8::kKernel)});
  if (number < kCount) ++count_[number];
  log_.record(mcu.cycle(), EventKind::InterruptBegins, thread, number);
  if (number == kAlarm) log_.record(mcu.cycle(), EventKind::TimerInterrupt, thread);
  if (number == kReschedule) log_.record(mcu.cycle(), EventKind::RescheduleInterrupt, thread);
}

void InterruptWatch::end(Cycles now, uint16_t thread) {
  const Running last = running_.back();
  running_.pop_back();
  if (!of_kernel(last.number)) handlers_ += now - last.since;
  log_.record(now, EventKind::InterruptEnds, thread, last.number);
}

}  // namespace hocket::avr
