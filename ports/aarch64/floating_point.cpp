// Lazy switching of the floating-point registers. A switch of threads only disables them. The next
// instruction that uses them traps, and only then are they saved for their owner and loaded for the
// running thread. A thread that never uses them never pays (DDI 0487, D17.2.33, CPACR_EL1.FPEN).
#include "ports/aarch64/port.h"

extern "C" {
void hocket_fp_save(hocket::aarch64::FpState* state);
void hocket_fp_load(const hocket::aarch64::FpState* state);

/// A floating-point instruction of the running thread has trapped, and is repeated afterwards.
/// Masked.
void hocket_floating_point_trap() {
  using namespace hocket::aarch64;
  CoreLocal& local = core_local();
  Level::floating_point(true);
  local.fp_live = true;
  Context* const computes = local.computing();
  if (local.fp_owner == computes) return;  // no other thread has used them since
  if (local.fp_owner != nullptr) hocket_fp_save(&local.fp_owner->fp);
  if (computes != nullptr) hocket_fp_load(&computes->fp);
  local.fp_owner = computes;
}
}
