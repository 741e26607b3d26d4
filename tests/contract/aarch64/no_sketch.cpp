// An image without a sketch: nothing comes from EL0.
#include "ports/aarch64/boot.h"

extern "C" {
extern const uint64_t hocket_system_call_count;
extern void (*const hocket_system_calls[])();
const uint64_t hocket_system_call_count = 0;
void (*const hocket_system_calls[])() = {nullptr};

void hocket_no_such_call() {
  hocket_halt("a system call without a sketch");
}
void hocket_user_fault() {
  hocket_halt("a fault without a sketch");
}
}
