// Stands in for the file of this name in the library IRremote, which sets up a timer of each
// processor that it knows (tools/hocket/stand_ins.py).
//
// The library samples the receiver's pin every 50 us in the timer's interrupt. Here a handler of
// the pin keeps each edge with its instant, and a loop gives the library the samples that it would
// have taken since then: of a constant level only the first and the last one, and the number of the
// others. So nothing runs while nothing is received.
//
//   edge ─▶ handler of attachInterrupt() ─▶ ring of edges ─▶ loop 221 ─▶ IRrecv's state machine
//                                                             └ wakes as well when a frame is over
//
//   #define HOCKET_IR_LOOP 221, 250us, 10ms      before the library is included: the loop's annotation
#ifndef _IR_TIMER_HPP
#define _IR_TIMER_HPP

#if !defined(HOCKET_PIN_INTERRUPTS)
#error \
    "IRremote receives by interrupts of a pin, which this board has none of: run it on sim, virt or the uno"
#endif
#if VERSION_IRREMOTE_MAJOR < 4 || (VERSION_IRREMOTE_MAJOR == 4 && VERSION_IRREMOTE_MINOR < 7)
#error \
    "this version of IRremote is older than 4.7, whose receiver keeps its state elsewhere: take a newer one, or build for the uno"
#endif
#if defined(SEND_PWM_BY_TIMER)
#error \
    "SEND_PWM_BY_TIMER needs a timer of the processor, which sketches have on the uno alone: leave it out, and IRremote makes the carrier itself"
#endif

#include "arduino/runtime/system.h"
#include "hocket/ServiceLoop.h"

#ifndef HOCKET_IR_LOOP
#define HOCKET_IR_LOOP 221, 250us, 10ms
#endif

void timerConfigForReceive();
void timerEnableReceiveInterrupt();
void timerDisableReceiveInterrupt();
void IRReceiveTimerInterruptHandler();  // IRReceive.hpp

namespace hocket::ir {

HOCKET_SERVICE_LOOP_(LoopEntry, "private/IRTimer.hpp", HOCKET_IR_LOOP)

constexpr uint64_t kTick = uint64_t{MICROS_PER_TICK} * 1000;  // ns

struct Edge {
  uint64_t at;  // ns
  bool level;   // from then on
};

/// Written by the handler, read by the loop.
struct Edges {
  static constexpr unsigned kRoom = 128;  // a frame of NEC has 68

  Edge edges[kRoom];
  unsigned written = 0, read = 0;

  /// Without room the edge is lost, and so is the frame.
  void put(const Edge& edge) {
    const unsigned at = __atomic_load_n(&written, __ATOMIC_RELAXED);
    if (at - __atomic_load_n(&read, __ATOMIC_ACQUIRE) == kRoom) return;
    edges[at % kRoom] = edge;
    __atomic_store_n(&written, at + 1, __ATOMIC_RELEASE);
  }
  bool take(Edge& edge) {
    const unsigned at = __atomic_load_n(&read, __ATOMIC_RELAXED);
    if (at == __atomic_load_n(&written, __ATOMIC_ACQUIRE)) return false;
    edge = edges[at % kRoom];
    __atomic_store_n(&read, at + 1, __ATOMIC_RELEASE);
    return true;
  }
};

inline auto& state() {
  return IrReceiver.irparams;
}

/// What the loop has done.
struct Sampled {
  uint64_t until = 0;  // ns: of the last sample
  bool level = true;   // of the pin since then
};

inline Edges edges;
inline Sampled sampled;
inline uint64_t enabled_at = 0;      // 0: the library wants no samples
inline const bool* shown = nullptr;  // the level that the library reads; null: the pin's

inline void on_edge() {
  edges.put({sys::now_ns(), ::digitalRead(state().IRReceivePin) != LOW});
  sys::unpark(LoopEntry<0>::id());
}

/// The samples until an instant.
inline void sample_until(uint64_t instant) {
  if (instant < sampled.until + kTick) return;
  const uint64_t ticks = (instant - sampled.until) / kTick;
  sampled.until += ticks * kTick;
  shown = &sampled.level;
  IRReceiveTimerInterruptHandler();
  if (ticks > 1) {
    const uint64_t counted = state().TickCounterForISR + (ticks - 2);
    state().TickCounterForISR =
        counted < UINT16_MAX ? static_cast<uint_fast16_t>(counted) : UINT16_MAX;
    IRReceiveTimerInterruptHandler();
  }
  shown = nullptr;
}

inline void serve() {
  const uint64_t from = __atomic_load_n(&enabled_at, __ATOMIC_ACQUIRE);
  if (from == 0) {
    sys::park_until_ns(UINT64_MAX);
    return;
  }
  if (sampled.until < from) sampled = {from, ::digitalRead(state().IRReceivePin) != LOW};
  Edge edge;
  while (edges.take(edge)) {
    sample_until(edge.at);
    sampled.level = edge.level;
  }
  // A frame is over when the pin has not changed for a gap: only then is there something to do.
  constexpr uint64_t kGap = (uint64_t{RECORD_GAP_TICKS} + 2) * kTick;
  const auto now = state().StateForISR;
  const bool in_frame = now == IR_REC_STATE_MARK || now == IR_REC_STATE_SPACE;
  const uint64_t over = sampled.until + kGap;
  if (in_frame && sys::now_ns() >= over) return sample_until(over);
  sys::park_until_ns(in_frame ? over : UINT64_MAX);
}

template <unsigned k>
void LoopEntry<k>::body() {
  serve();
}

inline int read(uint8_t pin) {
  return shown != nullptr ? static_cast<int>(*shown) : ::digitalRead(pin);
}

}  // namespace hocket::ir

#undef digitalReadFast
#define digitalReadFast(pin) hocket::ir::read(pin)

// IRReceive.hpp calls the sampling itself where this is no macro.
#undef ISR

void timerConfigForReceive() {}

void timerEnableReceiveInterrupt() {
  hocket::ir::LoopEntry<0>::use();
  __atomic_store_n(&hocket::ir::enabled_at, hocket::sys::now_ns() | 1, __ATOMIC_RELEASE);
  attachInterrupt(digitalPinToInterrupt(hocket::ir::state().IRReceivePin), &hocket::ir::on_edge,
                  CHANGE);
}

void timerDisableReceiveInterrupt() {
  if (hocket::ir::enabled_at == 0) return;
  __atomic_store_n(&hocket::ir::enabled_at, uint64_t{0}, __ATOMIC_RELEASE);
  detachInterrupt(digitalPinToInterrupt(hocket::ir::state().IRReceivePin));
}

#endif
