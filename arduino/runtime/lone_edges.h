// The usual way of an edge to its handler, in few instructions: for a board that knows which pin
// asks when it is the only one, and that has one bit for its edges (Pins::Edge).
//
//   a direct handler    is called, if its edge is in time; what need not be known before is written
//                       down behind the call
//   a handler's loop    that waits and takes the core at once goes on with that call. It pays for
//                       the interrupt as for any wake-up, so no I/O virtual CPU is needed for it.
//
// What is not usual goes the other way (direct_pins.cpp, interrupts.cpp): edges that come too soon,
// or while a section holds handlers back; loops that have no budget, or are not the first.
//
// Included by the board's file that has the lines, so that all is one function there.
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

/// On a line of an I/O virtual CPU, masked. False: it is to be handled otherwise.
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
