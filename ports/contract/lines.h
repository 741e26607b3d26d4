// Interrupt lines of devices: the part of the port contract that drivers and the I/O of threads
// use.
//
//     device ──▶ line ──▶ [ pending ] ──▶ [ unmasked? ] ──▶ core ──▶ handler (the top half)
//                              ▲               ▲
//                   line_acknowledge     line_mask, line_unmask
//
// A top half does little: where the rest of the work is a thread's, it masks the line and wakes the
// thread, which unmasks it when it has done the work (and, with a budget, when it has budget
// again):
//
//     handler                     thread
//     line_mask(line)             serve the device
//     wake the thread             line_unmask(line): what came meanwhile comes now
//
// Invariants
// - A handler runs as one of the kernel's: in_irq() holds, it may wake threads, and the interrupt's
//   end goes on with whoever is to run (hocket_interrupt_exit). With Level::RealTime, or on a
//   processor of one level, it is masked.
// - The line is acknowledged before its handler begins: an edge that comes from then on is a new
//   one. A level that still stands when the handler returns comes again, unless the line is masked.
// - A masked line keeps one edge. It comes once when the line is unmasked; how many there were is
//   not known. A level is pending for as long as the device holds it.
// - Lines are told apart by the port's type `Line`. A line has one handler and goes to one core.
#pragma once

#include "kernel/base/types.h"

namespace hocket::port {

/// At which of the hardware's levels a line enters. A processor that has one takes both for that.
enum class Level : uint8_t {
  RealTime,  // preempts all, never delayed by the other
  Ordinary,
};

enum class Trigger : uint8_t {
  Level,  // pending for as long as the device holds its line
  Edge,   // pending from the line's rise until acknowledged
};

/// The top half of a line.
using LineHandler = void (*)(void* argument);

/// How a line is used.
struct LineUse {
  Trigger trigger = Trigger::Level;
  Level level = Level::RealTime;
  CoreId core = 0;
};

/// - line_attach(line, handler, argument, use): the line is masked when it returns, and what was
///   pending before is forgotten. False, with nothing changed but that the line is masked: there is
///   no such line, or it cannot be used like that. Masked, on one core at a time; for a line that
///   is private to a core on that core.
/// - line_mask(line), line_unmask(line): from anywhere, on any core; for a private line on its own.
///   No handler of the line begins when line_mask() has returned; on another core one that has
///   begun may still run. Neither waits for another core.
/// - line_acknowledge(line): forgets a pending edge. As line_mask().
/// - line_pending(line): whether unmasking it now would bring its handler. As line_mask(). Where
///   kShowsMaskedLines is false the hardware shows nothing of a masked line: the device must be
///   asked.
/// - line_route(line, level, core): enters there from now on, masked or not as it was; an edge that
///   is pending is not lost. As line_attach(). False: it cannot.
/// None blocks; each is a few accesses to the interrupt controller.
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

/// For a machine without devices: it has no line.
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
