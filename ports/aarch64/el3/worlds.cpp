// The worlds' registers of EL1 (see worlds.h), and what the sketch's world may use.
#include "ports/aarch64/el3/worlds.h"

#include "ports/aarch64/boot.h"
#include "ports/aarch64/core_local.h"

extern "C" {
// worlds.S
void hocket_take_from_normal(hocket::aarch64::worlds::Registers* registers);
void hocket_begin_secure();
void hocket_give_to_normal(const hocket::aarch64::worlds::Registers* registers);
// maps.S
extern uint64_t hocket_releases[];
}

namespace hocket::aarch64 {
namespace {

uint64_t scr() {
  uint64_t value;
  asm volatile("mrs %0, scr_el3" : "=r"(value));
  return value;
}
void set_scr(uint64_t value) {
  asm volatile("msr scr_el3, %0\n isb" ::"r"(value) : "memory");
}

/// Sets the lower half's entry in this core's level 0. If it changes, the TLB entries of the old
/// one are invalidated first. EL3 may execute nothing below it (XNTable).
void see_lower_half(uint64_t table) {
  constexpr uint64_t kNeverExecuted = uint64_t{1} << 60;
  uint64_t root;
  asm volatile("mrs %0, ttbr0_el3" : "=r"(root));
  auto* const first = reinterpret_cast<volatile uint64_t*>(root + HOCKET_KERNEL_OFFSET);
  const uint64_t entry = (table & entry::kAddressMask) | kNeverExecuted | entry::kTable;
  if (*first == entry) return;
  *first = 0;
  asm volatile("dsb ish\n tlbi alle3\n dsb nsh\n isb" ::: "memory");
  *first = entry;
  asm volatile("dsb ish\n isb" ::: "memory");
}

}  // namespace

bool worlds::normal_is_here() {
  return (scr() & 1) != 0;
}

void worlds::take_from_normal(Registers& registers) {
  if (normal_is_here()) hocket_take_from_normal(&registers);
}

void worlds::give_to_normal(const Registers& registers) {
  hocket_give_to_normal(&registers);
  core_local().domain = {};
}

}  // namespace hocket::aarch64

using namespace hocket::aarch64;

extern "C" {

void hocket_use_lower_half(uint64_t table) {
  worlds::take_from_normal(worlds::kept());
  asm volatile("msr ttbr0_el1, %0" ::"r"(table) : "memory");
  see_lower_half(table);
  asm volatile("isb" ::: "memory");
}

void hocket_begin_secure_world() {
  // In both banks of ICC_SRE_EL1: system registers for both worlds (IHI 0069, 12.2).
  constexpr uint64_t kWorlds[] = {HOCKET_SCR_NORMAL, HOCKET_SCR_SECURE};
  for (const uint64_t world : kWorlds) {
    set_scr(world);
    asm volatile("msr icc_sre_el1, %0\n isb" ::"r"(uint64_t{7}));
  }
  hocket_begin_secure();
}

void hocket_release_core(unsigned core) {
  volatile uint64_t* const word = &hocket_releases[core];
  *word = HOCKET_RELEASED + core;
  // The waiting core has no caches yet.
  asm volatile("dc civac, %0\n dsb sy\n sev" ::"r"(word) : "memory");
}
}
