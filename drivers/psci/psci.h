// PSCI: starting cores and switching the machine off through firmware or hypervisor.
//
// Source: Arm Power State Coordination Interface (DEN0022), chapter 5, under each function's name;
// calling convention: SMCCC (DEN0028), 64-bit calls: function in W0, arguments in X1 to X3, result
// in X0; X4 to X17 may change.
#pragma once

#include <stdint.h>

namespace hocket::drivers {

/// How the call leaves this exception level: what the board's firmware listens to.
struct HvcConduit {
  static int64_t call(uint32_t function, uint64_t first, uint64_t second, uint64_t third) {
    // SAFETY: SMCCC's registers; firmware may read memory of this program.
    register uint64_t x0 asm("x0") = function;
    register uint64_t x1 asm("x1") = first;
    register uint64_t x2 asm("x2") = second;
    register uint64_t x3 asm("x3") = third;
    asm volatile("hvc #0"
                 : "+r"(x0), "+r"(x1), "+r"(x2), "+r"(x3)
                 :
                 : "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13", "x14", "x15",
                   "x16", "x17", "memory");
    return static_cast<int64_t>(x0);
  }
};
struct SmcConduit {
  static int64_t call(uint32_t function, uint64_t first, uint64_t second, uint64_t third) {
    // SAFETY: as above.
    register uint64_t x0 asm("x0") = function;
    register uint64_t x1 asm("x1") = first;
    register uint64_t x2 asm("x2") = second;
    register uint64_t x3 asm("x3") = third;
    asm volatile("smc #0"
                 : "+r"(x0), "+r"(x1), "+r"(x2), "+r"(x3)
                 :
                 : "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13", "x14", "x15",
                   "x16", "x17", "memory");
    return static_cast<int64_t>(x0);
  }
};

/// Context of all: anywhere. None blocks but for the firmware's own time.
template <class Conduit>
class Psci {
 public:
  /// 5.2.2 Return error codes.
  enum class Result : int32_t {
    Success = 0,
    NotSupported = -1,
    InvalidParameters = -2,
    Denied = -3,
    AlreadyOn = -4,
    OnPending = -5,
    InternalFailure = -6,
    NotPresent = -7,
    Disabled = -8,
    InvalidAddress = -9,
  };

  struct Version {
    uint16_t major, minor;
  };

  static Version version() {
    const auto word = static_cast<uint32_t>(Conduit::call(kVersion, 0, 0, 0));
    return {.major = static_cast<uint16_t>(word >> 16), .minor = static_cast<uint16_t>(word)};
  }

  /// Starts the core with this affinity (of its MPIDR) at the *physical* address `entry`, MMU off,
  /// all masked, with `argument` in X0. Success: it will come; the caller's stores are not flushed
  /// for it.
  static Result cpu_on(uint64_t affinity, uint64_t entry, uint64_t argument) {
    return static_cast<Result>(Conduit::call(kCpuOn, affinity, entry, argument));
  }

  /// Both return only where the firmware refuses.
  static Result system_off() { return static_cast<Result>(Conduit::call(kSystemOff, 0, 0, 0)); }
  static Result system_reset() { return static_cast<Result>(Conduit::call(kSystemReset, 0, 0, 0)); }

 private:
  static constexpr uint32_t kVersion = 0x8400'0000, kCpuOn = 0xc400'0003, kSystemOff = 0x8400'0008,
                            kSystemReset = 0x8400'0009;
};

}  // namespace hocket::drivers
