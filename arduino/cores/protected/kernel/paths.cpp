// Instantiates the kernel's hot paths (interrupts, scheduling decisions, calls) once for the image,
// compiled for speed.
#include "arduino/cores/protected/kernel/board_kernel.h"
#include "arduino/cores/protected/kernel/stopping.h"
#include "surroundings.h"

namespace hocket {

template class Dispatcher<Board::Port, SystemConfig>;
template class CountedHandlers<Board::Port, SystemConfig>;
template class Blocking<Board::Port, SystemConfig>;
template class Interrupts<Board::Port, SystemConfig>;
template class Kernel<Board::Port, SystemConfig>;

}  // namespace hocket

extern "C" {

void hocket_timer_interrupt() {
  if (hocket::direct::runs()) [[unlikely]]
    return hocket::direct::on_timer();
  hocket::System::on_timer();
}
void hocket_reschedule_interrupt() {
  if (hocket::stopping::why() != hocket::stopping::Why::Nothing) [[unlikely]] {
    // Not in the middle of an ordinary section, because other cores may wait for its lock.
    if (hocket::Processor::defer_in_section<hocket::Board::Port>()) return;
    hocket::stopping::take_part();
  }
  hocket::surroundings::on_reschedule();
  hocket::System::on_reschedule();
}
void hocket_interrupt_exit() {
  hocket::System::after_interrupt();
}
}

HOCKET_PROCESSOR_DOORS(hocket::Board::Port, hocket::System, hocket::direct::kThereAre)
