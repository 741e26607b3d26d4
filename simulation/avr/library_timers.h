// The timers of libsimavr's processor: 0 to 2, or 0 to 5.
#pragma once

#include <simavr/avr_timer.h>
#include <simavr/sim_avr.h>
#include <simavr/sim_io.h>

#include <cstring>

namespace hocket::avr {

inline constexpr unsigned kLibraryTimers = 6;

/// Cycles of a count, by control register B (data sheet, tables 15-9, 16-5 and 18-9). 0: it stands,
/// or counts a pin's edges.
inline uint16_t cycles_per_count(const avr_timer_t& timer, uint8_t control_b) {
  constexpr uint16_t kDividers[8] = {0, 1, 8, 64, 256, 1024, 0, 0};
  constexpr uint16_t kDividersOf2[8] = {0, 1, 8, 32, 64, 128, 256, 1024};
  return (timer.name == '2' ? kDividersOf2 : kDividers)[control_b & 7];
}

/// Calls visit(number, timer) for each; `timer` is an avr_timer_t&.
template <class Visit>
void for_each_timer(avr_t* avr, Visit visit) {
  for (avr_io_t* port = avr->io_port; port != nullptr; port = port->next) {
    if (std::strcmp(port->kind, "timer") != 0) continue;
    // SAFETY: `io` is a timer's first member.
    auto& timer = *reinterpret_cast<avr_timer_t*>(port);
    const auto number = static_cast<unsigned>(timer.name - '0');
    if (number < kLibraryTimers) visit(number, timer);
  }
}

}  // namespace hocket::avr
