// Limits the board's own UART to the interrupts that admission counts. They are charged to no loop.
//
//   UART asks ─▶ on_uart: line masked, both FIFOs served ─── distance ───▶ alarm: line unmasked
//
// This holds at any baud rate and for any input; an emulated UART has no rate at all. Received
// bytes stay in the FIFO meanwhile, up to the counted rate (board_kernel.h). A loop that writes
// fills the FIFO in its own time.
#include "arduino/surroundings/native/native.h"

namespace hocket::native {
namespace {

using Port = Board::Port;

void may_ask_again(void*) {
  const System::Instant begin = System::now();
  Port::line_unmask(kUartInterrupt);
  System::pass_over(begin, System::InHandler::here());
}

System::Alarm alarm;  // core 0's

}  // namespace

/// With the real-time level unmasked.
void on_uart(void*) {
  const System::InHandler here = System::InHandler::here();
  Port::IrqState state = Port::irq_save();
  System::begin_counted(here);
  alarm.handler = &may_ask_again;
  alarm.due = System::now() + System::Duration(Board::kUartDistance);
  alarm.times = 1;
  Port::irq_restore(state);
  Port::line_mask(kUartInterrupt);
  Serial::serve(nullptr);
  state = Port::irq_save();
  if (!System::start_alarm(alarm)) Port::halt("the UART has no alarm");
  System::end_counted(here);
  Port::irq_restore(state);
}

}  // namespace hocket::native
