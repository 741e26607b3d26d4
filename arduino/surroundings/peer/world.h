// The kernel's end of the wire to the world around an emulated board (simulation/peer/protocol.h).
//
// Requests are made one at a time, by any core. Virtual time stands still during a request, so it
// may be made with interrupts masked and with the kernel's locks held.
#pragma once

#include "kernel/base/types.h"
#include "simulation/peer/protocol.h"

namespace hocket::world {

/// Opens the wire and gets the run's settings. On core 0, at boot. Returns null, or what is wrong.
const char* open(unsigned cores_there);
const Settings& settings();

/// For a call of the sketch: asks, calls after_call(), and returns the reply's value.
int64_t serve(Operation operation, uint64_t a = 0, uint64_t b = 0, uint64_t c = 0);

/// Asks, and returns the reply's value. Sends `data` along.
int64_t ask(Operation operation, uint64_t a = 0, uint64_t b = 0, uint64_t c = 0,
            const void* data = nullptr, uint32_t size = 0);

/// Like ask(); the reply's payload is stored in `head`, and the rest in `rest`, as far as they
/// reach.
int64_t ask_for(Operation operation, uint64_t a, uint64_t b, uint64_t c, const void* data,
                uint32_t size, void* head, uint32_t head_size, void* rest, uint32_t rest_size);

/// Looks at the world as of an instant (ns), or as of the last request if that was later.
void look(uint64_t instant);

/// The level of a pin: from the last reply while that is valid, otherwise by a request.
int pin_level(unsigned pin);

/// Until this instant (ns) nothing arrives at a serial port unless the board acts.
uint64_t quiet_until();

/// After a call of the sketch, with no lock held: ends the run if the world says so, and records
/// when it wants the next look.
void after_call();

/// Like after_call(), after an edge was made in an interrupt handler: only ends the run.
void after_edges();

}  // namespace hocket::world
