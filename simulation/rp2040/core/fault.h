// Why an instruction was not completed.
#pragma once

#include <cstdint>

namespace hocket::rp2040 {

struct Fault {
  enum class Kind : uint8_t {
    None,
    Undefined,   // no instruction of Armv6-M, or one that is permanently undefined
    Breakpoint,  // BKPT, with no debugger attached
    NotThumb,    // a branch, a vector or a return to an address with bit 0 clear
    Unaligned,
    NoRead,  // refused by the MPU or the default map
    NoWrite,
    NoExecute,
    PrivateAccess,   // unprivileged code at the core's own registers
    Nothing,         // no memory or device has the address
    SupervisorCall,  // SVC where its exception cannot be taken
    Return,          // an exception return with a value or at a place that has none
  };

  Kind kind = Kind::None;
  uint32_t address = 0;  // of the data; of the instruction, for the kinds without data
  uint32_t pc = 0;       // of the instruction
};

/// "a read of 0x20000000, which the MPU does not allow"
const char* words(Fault::Kind kind);

}  // namespace hocket::rp2040
