// The kernel's end of the wire to the world around an emulated board (simulation/peer/protocol.h).
//
// One request at a time, whichever core asks. Virtual time stands still during a request, so it may
// be made with interrupts masked and the kernel's locks held.
#pragma once

#include "kernel/base/types.h"
#include "simulation/peer/protocol.h"

namespace hocket::world {

/// Opens the wire and gets the run's settings. Core 0, at boot. Null, or what is wrong.
const char* open(unsigned cores_there);
const Settings& settings();

/// A call of the sketch: asks, and answers with the reply's value; then as after_call().
int64_t serve(Operation operation, uint64_t a = 0, uint64_t b = 0, uint64_t c = 0);

/// Asks, and answers with the reply's value. `data` is sent along.
int64_t ask(Operation operation, uint64_t a = 0, uint64_t b = 0, uint64_t c = 0,
            const void* data = nullptr, uint32_t size = 0);

/// As ask(); the reply's payload fills `head` first and `rest` then, each as far as it goes.
int64_t ask_for(Operation operation, uint64_t a, uint64_t b, uint64_t c, const void* data,
                uint32_t size, void* head, uint32_t head_size, void* rest, uint32_t rest_size);

/// Looks at the world as of an instant (ns), or the last request's if that was later.
void look(uint64_t instant);

/// The level of a pin: from the last reply while that holds, else asked.
int pin_level(unsigned pin);

/// Nothing arrives at a serial port before this instant (ns) unless the board acts.
uint64_t quiet_until();

/// After a call of the sketch, with no lock held: ends the run if the world says so, and takes note
/// of when it wants to be asked again.
void after_call();

/// As after_call(), where an edge has been made, in an interrupt's handler: ends the run only.
void after_edges();

}  // namespace hocket::world
