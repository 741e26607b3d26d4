// PSCI on virt: its version, cores that exist and one that does not, and switching off.
#include BARE_BOARD

#include "kernel/base/atomic.h"

namespace {
hocket::Atomic<uint32_t> started;
}

void bare::run() {
  const Psci::Version version = Psci::version();
  line("version ", uint64_t{version.major}, ".", uint64_t{version.minor});
  const auto entry = reinterpret_cast<uintptr_t>(&bare_secondary);
  expect(Psci::cpu_on(1, entry, 0) == Psci::Result::Success, "core 1 is started");
  while (started.load(hocket::order::acquire) == 0) pass(1000);
  expect(Psci::cpu_on(1, entry, 0) == Psci::Result::AlreadyOn, "core 1 is on already");
  expect(Psci::cpu_on(0, entry, 0) == Psci::Result::AlreadyOn, "core 0 too");
  expect(Psci::cpu_on(77, entry, 0) == Psci::Result::InvalidParameters, "there is no core 77");
  line("off");
  Psci::system_off();
  expect(false, "off");
}

void bare::run_other(CoreId) {
  started.store(1, hocket::order::release);
}
