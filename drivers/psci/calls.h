// PSCI: starting cores and switching the machine off through firmware or hypervisor.
//
// Conduit::call(function, first, second, third) reaches the firmware; psci.h has HVC and SMC.
//
// Source: Arm Power State Coordination Interface (DEN0022), chapter 5, under each function's name;
// calling convention: SMCCC (DEN0028), 64-bit calls: function in W0, arguments in X1 to X3, result
// in X0; X4 to X17 may change.
#pragma once

#include <stdint.h>

namespace hocket::drivers {

/// Context of all functions: anywhere. None blocks, except for the firmware's own time.
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

  /// Starts the core with this affinity (of its MPIDR) at the *physical* address `entry`: MMU off,
  /// all masked, `argument` in X0. On success the core will arrive. The caller's stores are not
  /// flushed for it.
  static Result cpu_on(uint64_t affinity, uint64_t entry, uint64_t argument) {
    return static_cast<Result>(Conduit::call(kCpuOn, affinity, entry, argument));
  }

  /// Both return only if the firmware refuses.
  static Result system_off() { return static_cast<Result>(Conduit::call(kSystemOff, 0, 0, 0)); }
  static Result system_reset() { return static_cast<Result>(Conduit::call(kSystemReset, 0, 0, 0)); }

 private:
  static constexpr uint32_t kVersion = 0x8400'0000, kCpuOn = 0xc400'0003, kSystemOff = 0x8400'0008,
                            kSystemReset = 0x8400'0009;
};

}  // namespace hocket::drivers
