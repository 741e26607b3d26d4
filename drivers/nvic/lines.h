// The lines of an NVIC for the port contract (ports/contract/lines.h): one level, one core.
//
// Vectors are constants. The vectors of lines whose handlers are attached at run time lead to
// line_dispatch(). An image without such lines does not contain it.
#pragma once

#include "drivers/nvic/nvic.h"
#include "ports/contract/lines.h"

namespace hocket::drivers {

/// The number of lines, and the priority of attached interrupts.
template <unsigned kLines, uint32_t kPriority>
class NvicLines {
 public:
  using Line = unsigned;
  static constexpr unsigned kLineLevels = 1;
  static constexpr bool kShowsMaskedLines = true;

  [[nodiscard]] static bool line_attach(Line line, port::LineHandler handler, void* argument,
                                        port::LineUse use) {
    if (line >= kLines || use.core != 0) return false;
    Nvic::mask(line);
    Nvic::set_priority(line, kPriority);
    attached_[line] = {handler, argument};
    Nvic::clear_pending(line);
    return true;
  }
  static void line_mask(Line line) { Nvic::mask(line); }
  static void line_unmask(Line line) { Nvic::unmask(line); }
  static void line_acknowledge(Line line) { Nvic::clear_pending(line); }
  [[nodiscard]] static bool line_pending(Line line) { return Nvic::pending(line); }
  [[nodiscard]] static bool line_route(Line, port::Level, CoreId core) { return core == 0; }

  /// In a line's handler: calls the attached handler.
  static void line_dispatch() {
    uint32_t exception;  // 16 plus the line's number
    asm volatile("mrs %0, ipsr" : "=r"(exception));
    const Attached& line = attached_[exception - 16];
    line.handler(line.argument);
  }

 private:
  struct Attached {
    port::LineHandler handler;
    void* argument;
  };
  static inline Attached attached_[kLines];
};

}  // namespace hocket::drivers
