// The calls that the other world may make (see psci_calls.h), by number.
//
// PSCI 1.1 and SMCCC 1.1. Any other number is answered with "not supported", as both specifications
// require. Arguments of the 32-bit calls are cut to 32 bits.
#include "ports/aarch64/el3/psci_calls.h"

namespace hocket::aarch64::psci {
namespace {

enum Function : uint32_t {
  kVersion = 0x8400'0000,
  kCpuOff = 0x8400'0002,
  kCpuOn32 = 0x8400'0003,
  kAffinityInfo32 = 0x8400'0004,
  kMigrateInfoType = 0x8400'0006,
  kSystemOff = 0x8400'0008,
  kSystemReset = 0x8400'0009,
  kFeatures = 0x8400'000a,
  kCpuOn64 = 0xc400'0003,
  kAffinityInfo64 = 0xc400'0004,
  kSmcccVersion = 0x8000'0000,
};

constexpr int64_t kVersion1_1 = 0x1'0001;
constexpr int64_t kNothingToMigrate =
    2;  // there is no trusted system that would have to migrate (5.9)

/// PSCI_FEATURES (5.15): these calls have no options.
int64_t features(uint32_t function) {
  switch (function) {
    case kVersion:
    case kCpuOff:
    case kCpuOn32:
    case kCpuOn64:
    case kAffinityInfo32:
    case kAffinityInfo64:
    case kMigrateInfoType:
    case kSystemOff:
    case kSystemReset:
    case kFeatures:
    case kSmcccVersion:
      return kSuccess;
    default:
      return kNotSupported;
  }
}

}  // namespace

int64_t answer(const NormalFrame& frame) {
  const auto cut = [&frame](unsigned i) { return frame.x[i] & 0xffff'ffff; };
  switch (const auto function = static_cast<uint32_t>(frame.x[0])) {
    case kVersion:
    case kSmcccVersion:
      return kVersion1_1;
    case kFeatures:
      return features(static_cast<uint32_t>(frame.x[1]));
    case kMigrateInfoType:
      return kNothingToMigrate;
    case kCpuOn32:
      return cpu_on(cut(1), cut(2), cut(3));
    case kCpuOn64:
      return cpu_on(frame.x[1], frame.x[2], frame.x[3]);
    case kAffinityInfo32:
      return affinity_info(cut(1), cut(2));
    case kAffinityInfo64:
      return affinity_info(frame.x[1], frame.x[2]);
    case kCpuOff:
      cpu_off();
    case kSystemOff:
    case kSystemReset:
      system_ends(function == kSystemReset);
    default:
      return kNotSupported;
  }
}

}  // namespace hocket::aarch64::psci
