// The timers of libsimavr's processor: 0 to 2, or 0 to 5.
#pragma once

#include <simavr/avr_timer.h>
#include <simavr/sim_avr.h>
#include <simavr/sim_io.h>

#include <cstring>

namespace hocket::avr {

inline constexpr unsigned kLibraryTimers = 6;

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
