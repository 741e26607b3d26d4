// The stacks of the simulated board's threads, and what lies below them.
//
//   guard (never accessible) │ the kernel's reserve (closed) │ the thread's stack
//                            └ opened while the kernel or a device needs it
//
// Interrupts and kernel calls work on the stack of the thread that runs, and so does the way to a
// device (which has the machine's own, device_access.h). What they need must not count against what
// the sketch asked for, and must not fail where a sketch has used up its share: then the reserve is
// opened for them. A sketch that reaches the reserve by itself has a stack overflow.
//
// Not instrumented (it belongs to the machine, not to what runs on it), and usable in a signal
// handler.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hocket::sim {

/// Makes room for a device access on the running thread's stack, if little is left of it.
void make_room_on_stack();

/// While it lives, the running thread cannot be stopped for want of stack: it holds something that
/// others wait for.
class RoomOnStack {
 public:
  RoomOnStack();
  ~RoomOnStack();
  RoomOnStack(const RoomOnStack&) = delete;
  RoomOnStack& operator=(const RoomOnStack&) = delete;
};

}  // namespace hocket::sim
