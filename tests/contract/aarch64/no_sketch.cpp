// An image without a sketch: nothing comes from EL0.
#include "ports/aarch64/boot.h"
#include "ports/aarch64/layout.h"

extern "C" {
extern void (*const hocket_system_calls[HOCKET_SYSTEM_CALL_ROOM])();
void (*const hocket_system_calls[HOCKET_SYSTEM_CALL_ROOM])() = {};

void hocket_no_such_call() {
  hocket_halt("a system call without a sketch");
}
void hocket_user_fault() {
  hocket_halt("a fault without a sketch");
}
}
