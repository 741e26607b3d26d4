// The vector table, and the entry and exit code of handlers that use the kernel.
#pragma once

#include "ports/cortex_m/port.h"

extern "C" {
extern uint32_t hocket_handler_stack[], hocket_handler_stack_end[];  // painted (start.S)
void hocket_reset();                                                 // start.S
void hocket_pend_sv();                                               // switch.S
}

namespace hocket::cortex_m {

using Handler = void (*)();

/// A handler that may use the kernel. `work` is called masked, and in_irq() is true in it. The
/// processor itself has saved the registers that a call may change.
template <Handler work>
void kernel_handler() {
  asm volatile("cpsid i" ::: "memory");
  work();
  hocket_interrupt_exit();
  asm volatile("cpsie i" ::: "memory");
}

/// A fault, or an interrupt without a handler.
template <class Port>
[[noreturn]] void unexpected() {
  asm volatile("cpsid i" ::: "memory");
  Port::halt(SystemControl::exception() < 16 ? "a fault of the processor"
                                             : "an interrupt that nobody handles");
}

/// The handler of one device line.
struct Line {
  unsigned number;
  Handler handler;
};

/// A line whose handler is attached at run time (ports/contract/lines.h).
template <class Port>
constexpr Line attachable(unsigned number) {
  return {number, &kernel_handler<&Port::line_dispatch>};
}

/// What the processor reads at reset and at each exception (DDI 0419, B1.5.3).
template <unsigned kLines>
struct Vectors {
  const uint32_t* handler_stack;
  Handler reset;
  Handler system[14];  // exceptions 2 … 15
  Handler lines[kLines];
};

template <class Port, class Board>
constexpr auto vectors(const auto&... lines) {
  Vectors<Board::kLines> table{hocket_handler_stack_end, &hocket_reset, {}, {}};
  for (Handler& handler : table.system) handler = &unexpected<Port>;
  table.system[14 - 2] = &hocket_pend_sv;
  for (Handler& handler : table.lines) handler = &unexpected<Port>;
  table.lines[Board::Counter::kLine] = &kernel_handler<&Port::Clock::on_interrupt>;
  table.lines[Board::kRescheduleLine] = &kernel_handler<&hocket_reschedule_interrupt>;
  (..., (table.lines[lines.number] = lines.handler));
  return table;
}

}  // namespace hocket::cortex_m

/// Use this once per image. After the port and the board, pass the device lines as `Line`s.
#define HOCKET_CORTEX_M_VECTORS(Port, Board, ...)                                                 \
  extern constinit const auto hocket_vectors __attribute__((section(".vectors"), used, retain)) = \
      hocket::cortex_m::vectors<Port, Board>(__VA_ARGS__);
