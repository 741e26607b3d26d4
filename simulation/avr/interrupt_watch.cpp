#include "simulation/avr/interrupt_watch.h"

namespace hocket::avr {
const char* InterruptWatch::name(unsigned number) const {
  return number < chip_.interrupts.size() ? chip_.interrupts[number] : "?";
}

void InterruptWatch::name_them() {
  for (unsigned i = 1; i < chip_.interrupts.size(); ++i) {
    log_.name_interrupt(i, chip_.interrupts[i]);
  }
}

void InterruptWatch::begin(const Mcu& mcu, uint16_t thread) {
  const unsigned number = mcu.entered();
  running_.push_back({number, mcu.cycle(), SectionWatch::flag(mcu, avr8::kKernel)});
  if (number < kMost) ++count_[number];
  log_.record(mcu.cycle(), EventKind::InterruptBegins, thread, number);
  if (number == chip_.alarm) log_.record(mcu.cycle(), EventKind::TimerInterrupt, thread);
  if (number == chip_.reschedule) log_.record(mcu.cycle(), EventKind::RescheduleInterrupt, thread);
}

void InterruptWatch::end(Cycles now, uint16_t thread) {
  done(running_.back(), now);
  const Running last = running_.back();
  running_.pop_back();
  if (!of_kernel(last.number)) handlers_ += now - last.since;
  log_.record(now, EventKind::InterruptEnds, thread, last.number);
}

}  // namespace hocket::avr
