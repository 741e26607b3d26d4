// The stacks of the simulated board's threads, and what lies below them.
//
//   guard (never accessible) │ the kernel's reserve (closed) │ the thread's stack
//                            └ opened while the kernel or a device needs it
//
// Interrupts and kernel calls run on the stack of the running thread, and so does the way to a
// device (which itself uses the machine's stack, device_access.h). What they need must not count as
// the sketch's use, and must not fail if a sketch has used up its stack: the reserve is opened for
// them. A sketch that reaches the reserve by itself has a stack overflow.
//
// Not instrumented (it belongs to the machine, not to the simulated program), and usable in a
// signal handler.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hocket::sim {

/// Makes room for a device access on the running thread's stack, if little of it is left.
void make_room_on_stack();

/// The end of the thread's stack that contains this address; 0: of none.
uintptr_t end_of_stack(uintptr_t address);

/// While it exists, the running thread cannot be stopped for lack of stack: it holds something that
/// others wait for.
class RoomOnStack {
 public:
  RoomOnStack();
  ~RoomOnStack();
  RoomOnStack(const RoomOnStack&) = delete;
  RoomOnStack& operator=(const RoomOnStack&) = delete;
};

}  // namespace hocket::sim
