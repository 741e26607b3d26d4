// Interrupt lines as every port promises them (ports/contract/lines.h), before there is a kernel.
// The board says which two lines no device uses, and how an edge is made on them.
#include "suite.h"

namespace hocket::contract {
namespace {

using Line = Port::Line;
using port::Level;
using port::Trigger;

constexpr Line kFirst = Board::kTestLines[0];
constexpr Line kSecond = Board::kTestLines[1];

struct Seen {
  volatile unsigned calls;
  volatile bool in_irq;
};
Seen seen[2];
Tokens order;
void (*volatile in_first)();

void top_half(void* argument) {
  Seen& mine = *static_cast<Seen*>(argument);
  mine.calls = mine.calls + 1;
  mine.in_irq = Port::in_irq();
  order.add(&mine == &seen[0] ? '1' : '2');
  if (&mine == &seen[0] && in_first != nullptr) in_first();
}

/// An edge is there when this returns, if the line is let in.
void raise(Line line) {
  Board::raise(line);
  const Instant soon = now() + Instant::Duration(microseconds(20));
  while (now() < soon) pause();
}

bool attach(Line line, Seen& to, Level level = Level::RealTime) {
  const Port::IrqState state = Port::irq_save();
  const bool attached =
      Port::line_attach(line, &top_half, &to, {.trigger = Trigger::Edge, .level = level});
  Port::irq_restore(state);
  return attached;
}

void attach_both(Level first = Level::RealTime, Level second = Level::RealTime) {
  for (Seen& one : seen) one.calls = 0;
  seen[0].in_irq = false;
  seen[1].in_irq = false;
  in_first = nullptr;
  order.clear();
  HOCKET_EXPECT(attach(kFirst, seen[0], first));
  HOCKET_EXPECT(attach(kSecond, seen[1], second));
}

void attached_line_is_masked() {
  raise(kFirst);  // the past does not count
  attach_both();
  HOCKET_EXPECT(!Port::line_pending(kFirst));
  Port::line_unmask(kFirst);
  Port::line_mask(kFirst);
  HOCKET_EXPECT(seen[0].calls == 0);
  raise(kFirst);
  HOCKET_EXPECT(seen[0].calls == 0);
  HOCKET_EXPECT(!Port::kShowsMaskedLines || Port::line_pending(kFirst));
}

void line_calls_its_handler() {
  attach_both();
  Port::line_unmask(kFirst);
  Port::line_unmask(kSecond);
  raise(kSecond);
  HOCKET_EXPECT(seen[0].calls == 0 && seen[1].calls == 1);
  HOCKET_EXPECT(seen[1].in_irq && !Port::in_irq());
  raise(kFirst);
  raise(kFirst);
  HOCKET_EXPECT(seen[0].calls == 2 && seen[1].calls == 1);
  HOCKET_EXPECT(!Port::line_pending(kFirst));
}

void masked_line_keeps_one_edge() {
  attach_both();
  for (unsigned i = 0; i < 3; ++i) raise(kFirst);
  HOCKET_EXPECT(seen[0].calls == 0);
  Port::line_unmask(kFirst);
  raise(kSecond);  // masked: time passes
  HOCKET_EXPECT(seen[0].calls == 1 && seen[1].calls == 0);
  HOCKET_EXPECT(!Port::line_pending(kFirst) && Port::line_pending(kSecond));
}

void acknowledged_edge_is_forgotten() {
  attach_both();
  raise(kFirst);
  Port::line_acknowledge(kFirst);
  HOCKET_EXPECT(!Port::line_pending(kFirst));
  Port::line_unmask(kFirst);
  raise(kSecond);
  HOCKET_EXPECT(seen[0].calls == 0);
  raise(kFirst);
  HOCKET_EXPECT(seen[0].calls == 1);
}

/// What a top half does whose work is a thread's.
void handler_may_mask_its_line() {
  attach_both();
  in_first = [] { Port::line_mask(kFirst); };
  Port::line_unmask(kFirst);
  raise(kFirst);
  raise(kFirst);
  raise(kFirst);
  HOCKET_EXPECT(seen[0].calls == 1);
  Port::line_unmask(kFirst);
  raise(kSecond);
  HOCKET_EXPECT(seen[0].calls == 2);
}

void edge_in_its_handler_comes_again() {
  attach_both();
  in_first = [] {
    in_first = nullptr;
    Board::raise(kFirst);
  };
  Port::line_unmask(kFirst);
  raise(kFirst);
  raise(kSecond);
  HOCKET_EXPECT(seen[0].calls == 2);
}

void line_waits_while_interrupts_are_masked() {
  attach_both();
  Port::line_unmask(kFirst);
  const Port::IrqState state = Port::irq_save();
  raise(kFirst);
  HOCKET_EXPECT(seen[0].calls == 0);
  HOCKET_EXPECT(Port::line_pending(kFirst));
  Port::irq_restore(state);
  raise(kSecond);
  HOCKET_EXPECT(seen[0].calls == 1);
}

/// Both wait; on a processor of two levels the real-time one comes first.
void real_time_line_comes_first() {
  attach_both(Level::Ordinary, Level::RealTime);
  const Port::IrqState state = Port::irq_save();
  Port::line_unmask(kFirst);
  Port::line_unmask(kSecond);
  Board::raise(kFirst);
  raise(kSecond);
  Port::irq_restore(state);
  const Instant soon = now() + Instant::Duration(microseconds(20));
  while (now() < soon) pause();
  HOCKET_EXPECT(seen[0].calls == 1 && seen[1].calls == 1);
  if constexpr (Port::kLineLevels == 2) HOCKET_EXPECT(order.are("21"));
}

void impossible_use_is_refused() {
  const Port::IrqState state = Port::irq_save();
  HOCKET_EXPECT(!Port::line_attach(kFirst, &top_half, &seen[0],
                                   {.trigger = Trigger::Edge, .core = Port::kCores}));
  HOCKET_EXPECT(!Port::line_route(kFirst, Level::RealTime, Port::kCores));
  HOCKET_EXPECT(Port::line_route(kFirst, Level::RealTime, 0));
  Port::irq_restore(state);
}

#define HOCKET_RUN(test) run(HOCKET_CONSTANT_TEXT(#test), &test)

}  // namespace

void run_line_tests() {
  prepare_lines();
  Port::irq_enable();
  HOCKET_RUN(attached_line_is_masked);
  HOCKET_RUN(line_calls_its_handler);
  HOCKET_RUN(masked_line_keeps_one_edge);
  HOCKET_RUN(acknowledged_edge_is_forgotten);
  HOCKET_RUN(handler_may_mask_its_line);
  HOCKET_RUN(edge_in_its_handler_comes_again);
  HOCKET_RUN(line_waits_while_interrupts_are_masked);
  HOCKET_RUN(real_time_line_comes_first);
  HOCKET_RUN(impossible_use_is_refused);
  Port::line_mask(kFirst);
  Port::line_mask(kSecond);
}

}  // namespace hocket::contract
