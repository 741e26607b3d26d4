// Interrupt lines of devices: the part of the port contract that drivers and the I/O of threads
// use.
//
//     device ──▶ line ──▶ [ pending ] ──▶ [ unmasked? ] ──▶ core ──▶ handler (the top half)
//                              ▲               ▲
//                   line_acknowledge     line_mask, line_unmask
//
// A top half does little. If a thread does the rest of the work, the top half masks the line and
// wakes the thread. The thread unmasks the line when it has done the work (a thread with a budget
// does so when it has budget again):
//
//     handler                     thread
//     line_mask(line)             serve the device
//     wake the thread             line_unmask(line): what came meanwhile comes now
//
// Invariants
// - A handler runs like one of the kernel's: in_irq() is true, it may wake threads, and the end of
//   the interrupt switches to the thread that is to run (hocket_interrupt_exit). It is masked with
//   Level::RealTime, and on a processor with one level.
// - The line is acknowledged before its handler begins: a later edge is a new one. A level that
//   still stands when the handler returns interrupts again, unless the line is masked.
// - A masked line keeps one edge, which comes once when the line is unmasked. The number of edges
//   is not kept. A level is pending for as long as the device holds it.
// - The port's type `Line` identifies a line. A line has one handler and goes to one core.
#pragma once

#include "kernel/base/types.h"

namespace hocket::port {

/// The level of the hardware at which a line enters. A processor with one level uses it for both.
enum class Level : uint8_t {
  RealTime,  // preempts everything; the other level never delays it
  Ordinary,
};

enum class Trigger : uint8_t {
  Level,  // pending for as long as the device holds its line
  Edge,   // pending from the line's rise until acknowledged
};

/// The type of a line's top half.
using LineHandler = void (*)(void* argument);

/// How a line is used.
struct LineUse {
  Trigger trigger = Trigger::Level;
  Level level = Level::RealTime;
  CoreId core = 0;
};

/// Context "as line_mask()" means: from anywhere, on any core; for a private line on its own core.
///
/// - line_attach(line, handler, argument, use): when it returns, the line is masked, and what was
///   pending before is forgotten. Returns false if there is no such line, or it cannot be used like
///   that; the line is masked then too, and nothing else has changed. Masked, on one core at a
///   time; for a line that is private to a core, on that core.
/// - line_mask(line), line_unmask(line): from anywhere, on any core; for a private line on its own
///   core. After line_mask() has returned, no handler of the line begins; one that has begun on
///   another core may still run. Neither function waits for another core.
/// - line_acknowledge(line): forgets a pending edge. As line_mask().
/// - line_pending(line): whether unmasking the line now would call its handler. As line_mask(). If
///   kShowsMaskedLines is false, the hardware shows nothing of a masked line, and the device must
///   be read instead.
/// - line_route(line, level, core): the line enters there from now on, and stays masked or
///   unmasked; a pending edge is not lost. Returns false if that is impossible. As line_attach().
/// None of these blocks. Each takes a few accesses to the interrupt controller.
template <class P>
concept HasLines = requires(typename P::Line line, LineHandler handler, LineUse use) {
  { P::line_attach(line, handler, nullptr, use) } -> Same<bool>;
  P::line_mask(line);
  P::line_unmask(line);
  P::line_acknowledge(line);
  { P::line_pending(line) } -> Same<bool>;
  { P::line_route(line, use.level, use.core) } -> Same<bool>;
  requires P::kLineLevels == 1 || P::kLineLevels == 2;
  requires Same<decltype(P::kShowsMaskedLines), const bool>;
};

/// For a machine without devices: no line exists.
struct NoLines {
  using Line = uint8_t;
  static constexpr unsigned kLineLevels = 1;
  static constexpr bool kShowsMaskedLines = true;
  [[nodiscard]] static bool line_attach(Line, LineHandler, void*, LineUse) { return false; }
  static void line_mask(Line) {}
  static void line_unmask(Line) {}
  static void line_acknowledge(Line) {}
  [[nodiscard]] static bool line_pending(Line) { return false; }
  [[nodiscard]] static bool line_route(Line, Level, CoreId) { return false; }
};

}  // namespace hocket::port
