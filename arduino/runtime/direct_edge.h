// The usual way of an edge to its direct handler, in few instructions: for a board that knows which
// pin asks when it is the only one on its line, and that has one bit for its edges (Pins::Edge).
//
// The handler is in the middle sooner than with serve() in direct_pins.cpp, which does all that is
// not usual: edges that come too soon, or wait for the end of a section; levels; events that are
// wanted. What need not be known before the call is written down behind it.
//
// Included by the board's file that has the line, so that all is one function there.
#pragma once

#include "arduino/runtime/pin_state.h"

namespace hocket::runtime::interrupts {

/// The handler of state.running has been called so.
void called_at_once(DirectEnd ended);
/// What it is for other edges: the line's handler.
void direct_top_half(void*);

/// On the line of direct handlers, masked.
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

}  // namespace hocket::runtime::interrupts
