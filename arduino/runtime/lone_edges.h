// The fast path from an edge to its handler. For a board that knows which pin asks when only one
// does, and that has one bit for a pin's edges (Pins::Edge).
//
//   a direct handler   is called at once if its edge is in time. Bookkeeping follows the call.
//   a handler's loop   is woken at once if it waits and takes the core. It is charged with the
//                      interrupt as for any wake-up, so no I/O virtual CPU is needed.
//
// All other cases take the general path (direct_pins.cpp, interrupts.cpp): edges that come too soon
// or during a section, loops without budget, and loops that are not first on their core.
//
// The board's file that serves the lines includes this header, so that the path compiles to one
// function.
#pragma once

#include "arduino/runtime/pin_state.h"

namespace hocket::runtime::interrupts {

/// Bookkeeping after the call that state.running describes.
void called_at_once(DirectEnd ended);
/// The general path: the line's handler.
void direct_top_half(void*);

/// On the line of direct handlers. Interrupt context, masked.
template <class Edge>
HOCKET_IN_LINE void direct_edge(Edge edge) {
  Port::lock(state.lock);
  if (edge.gone()) return Port::unlock(state.lock);
  Pin& pin = *static_cast<Pin*>(edge.known());
  Direct& direct = *pin.direct;
  HandlerGate& gate = direct.sketch->handlers().gate;
  const System::Instant came = edge.came();
  if (came < direct.at_once_from || !gate.is_open() || !Edge::calls_at_once()) [[unlikely]] {
    Port::unlock(state.lock);
    return direct_top_half(nullptr);
  }
  edge.take();
  const System::Instant now = System::now();
  pin.account.deliver_at_once();
  direct.first = came;
  direct.began = now;
  direct.next_call = now + System::Duration(direct.distance);
  direct.at_once_from = direct.next_edge = came + System::Duration(direct.distance);
  gate.begin_at_once();
  direct.called = &pin;
  state.running = &direct;
  Port::unlock(state.lock);
  called_at_once(
      edge.template call<Port>(pin.call, direct.storage, now + System::Duration(direct.length)));
}

/// On a line of an I/O virtual CPU. Interrupt context, masked. Returns false if the general path
/// must handle the edge.
template <class Edge>
[[nodiscard]] HOCKET_IN_LINE bool handler_edge(Edge edge) {
  Port::lock(state.lock);
  if (edge.gone()) {
    Port::unlock(state.lock);
    return true;
  }
  Pin& pin = *static_cast<Pin*>(edge.known());
  Loop& loop = *pin.loop;
  Handlers& of = *pin.of;
  HandlerGate& gate = loop.sketch->handlers().gate;
  const bool begins = of.idle && of.row.empty() && gate.is_open() &&
                      System::wake_at_once(loop.thread, System::InHandler::here());
  if (begins) [[likely]] {
    edge.take();
    pin.first = edge.came();
    pin.account.deliver_at_once();
    gate.begin_at_once();
    of.calling = &pin;
    of.begun = pin.call;
    of.in_the_middle_since = System::now();
  }
  Port::unlock(state.lock);
  return begins;
}

}  // namespace hocket::runtime::interrupts
