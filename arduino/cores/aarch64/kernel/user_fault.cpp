// The faults of a sketch, from the processor's exception to the runtime's words.
#include "arduino/cores/protected/kernel/faults.h"
#include "board_kernel.h"

namespace {

/// Exception classes of ESR_EL1 (DDI 0487, D17.2.37).
enum : uint64_t {
  kUnknownInstruction = 0x00,
  kIllegalState = 0x0e,
  kSystemRegister = 0x18,
  kInstructionAbort = 0x20,
  kProgramCounterAlignment = 0x22,
  kDataAbort = 0x24,
  kStackAlignment = 0x26,
  kFloatingPoint = 0x2c,
  kBreakpoint = 0x3c,
};

}  // namespace

/// An exception of the sketch other than a call (vectors.S). `link` is the sketch's x30.
extern "C" [[noreturn, gnu::cold]] void hocket_user_fault(uint64_t syndrome, uint64_t instruction,
                                                          uint64_t address, uint64_t link) {
  using namespace hocket;
  if (direct::runs()) direct::end_by_trap(instruction);
  const char* kind = "bad instruction";
  const char* text = "";
  switch (syndrome >> 26) {
    case kDataAbort:
      faults::stop_access(address, instruction);
    case kInstructionAbort:
    case kProgramCounterAlignment:
      faults::stop_jump(address, instruction, link);
    case kStackAlignment:
      kind = "bad access";
      text = "the stack pointer is not a multiple of 16";
      break;
    case kFloatingPoint:
      kind = "arithmetic";
      break;
    case kBreakpoint:
      text = "reached a trap";
      break;
    case kSystemRegister:
      text = "used what only the system may";
      break;
    case kUnknownInstruction:
    case kIllegalState:
    default:
      break;
  }
  faults::stop_at(kind, faults::kUnknown, instruction, text);
}
