// Which policy an application has: one of kernel/sched, chosen when the system is compiled
// (tools/hocket/builder/policies.py, docs/reference/scheduling.md).
#pragma once

#include "kernel/sched/turn_policies.h"
#include "kernel/sched/vcpu_policy.h"

namespace hocket::runtime {

#if defined(HOCKET_POLICY_EDF)
inline constexpr const char* kPolicyName = "edf";
inline constexpr bool kOtherPolicy = true;
template <class Rep, unsigned kSlots, unsigned kRefills, class Observer, class Charges>
using OtherPolicy = DeadlinePolicy<Rep, kSlots, kRefills, Observer, Charges>;
#elif defined(HOCKET_POLICY_HYBRID_EDF)
inline constexpr const char* kPolicyName = "hybrid-edf";
inline constexpr bool kOtherPolicy = true;
template <class Rep, unsigned kSlots, unsigned kRefills, class Observer, class Charges>
using OtherPolicy = HybridPolicy<Rep, kSlots, kRefills, Observer, Charges>;
#elif defined(HOCKET_POLICY_MLQ)
inline constexpr const char* kPolicyName = "mlq";
inline constexpr bool kOtherPolicy = true;
template <class Rep, unsigned kSlots, unsigned, class Observer, class Charges>
using OtherPolicy = LevelPolicy<Rep, kSlots, Observer, Charges>;
#elif defined(HOCKET_POLICY_BITMAP)
inline constexpr const char* kPolicyName = "bitmap";
inline constexpr bool kOtherPolicy = true;
template <class Rep, unsigned kSlots, unsigned, class Observer, class>
using OtherPolicy = BitmapPolicy<Rep, kSlots, Observer>;
#elif defined(HOCKET_POLICY_LOTTERY)
inline constexpr const char* kPolicyName = "lottery";
inline constexpr bool kOtherPolicy = true;
template <class Rep, unsigned kSlots, unsigned, class Observer, class Charges>
using OtherPolicy = LotteryPolicy<Rep, kSlots, Observer, Charges>;
#else
inline constexpr const char* kPolicyName = "vcpu";
inline constexpr bool kOtherPolicy = false;
template <class Rep, unsigned kSlots, unsigned kRefills, class Observer, class Charges>
using OtherPolicy = VcpuPolicy<Rep, kSlots, kRefills, Observer, Charges>;
#endif

/// How long a turn is, where loops take turns.
inline constexpr uint64_t kSliceNs = 10'000'000;

/// Of a lottery: runs with the same number draw the same. Before any core begins.
template <class System>
void seed_policy([[maybe_unused]] uint32_t seed) {
#ifdef HOCKET_POLICY_LOTTERY
  LotteryOrder<System::Policy::kSlots>::seed = seed;
#endif
}

/// Calls `create` with what the server of a loop wants to know besides its slot, once what its
/// order wants to know is noted down.
template <class System, class Create>
void with_contract(typename System::Vcpu& vcpu, const Demand<typename System::Ticks>& demand,
                   unsigned rank, typename System::Duration enforced,
                   typename System::Duration slice, Create create) {
  using Duration = typename System::Duration;
  const Duration period(demand.period);
  if constexpr (requires { vcpu.due_after; }) vcpu.due_after = Duration(demand.deadline);
  if constexpr (requires { vcpu.level; }) {
    constexpr unsigned kLowest = LevelOrder<1>::kLevels - 1;
    vcpu.level = static_cast<uint8_t>(demand.has_level ? demand.level : smaller(rank, kLowest));
  }
  if constexpr (requires { vcpu.tickets; }) vcpu.tickets = larger<uint16_t>(demand.tickets, 1);
  using Server = typename System::Policy::SupplyServer;
  if constexpr (!Server::kLimited) {
    create();
  } else if constexpr (requires { vcpu.tickets; } ||
                       (requires { vcpu.level; } && !requires { vcpu.due_after; })) {
    create(slice);
  } else if constexpr (requires { vcpu.level; }) {
    if (demand.has_level) return create(slice, Duration(0), System::now());
    create(enforced, period, System::now());
  } else {
    create(enforced, period, System::now());
  }
}

}  // namespace hocket::runtime
