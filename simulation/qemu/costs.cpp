// SPDX-License-Identifier: GPL-2.0-or-later
// What a kernel of ours costs on one core of a machine in QEMU, in instructions, seen from outside:
// the firmware has no instruction for it.
//
//   -plugin FILE,places=FILE,result=FILE
//
//   places   lines `WHAT ADDRESS` (hexadecimal), with the kernel's addresses:
//              vector   where an interrupt enters
//              read     the clock is read for a decision
//              switch   the stack becomes another thread's
//              begin    from its first execution on it is looked at; end: up to then
//              timer    an interrupt of the kernel's own; work: it does what has a length of its own
//              foreign  what makes the machine's world move: its time is not the board's
//              beside   the first address of 64 KiB that are neither the kernel's nor a sketch's
//   result   lines `WHAT MOST PLACE`: the most of each cost, and where interrupts were masked from
//
// What runs in the upper half of the address space is the kernel, and its instructions are counted
// one by one. The mask changes at the end of a translated block only. An instruction that accesses
// a device may be counted twice: QEMU begins it again.
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>

#include "simulation/qemu/internals.h"

namespace {

constexpr uint64_t kUpperHalf = uint64_t{1} << 63;
constexpr int kStateRegister = 33;  // as a debugger numbers them: PSTATE
constexpr uint32_t kMasked = 1u << 6;
constexpr uint64_t kBeside = 0x10000;

enum class What : uint8_t { Vector, Read, Switch, Begin, End, Timer, Work, Foreign, Beside };
const std::map<std::string, What> kNames = {
    {"vector", What::Vector}, {"read", What::Read}, {"switch", What::Switch},
    {"begin", What::Begin},   {"end", What::End},   {"foreign", What::Foreign},
    {"timer", What::Timer},   {"work", What::Work}, {"beside", What::Beside}};

struct Most {
  uint64_t count = 0;
  uint64_t place = 0;  // where its section began
};

/// A section with interrupts masked.
struct Section {
  bool masked = false, entered = false, switched = false, foreign = false, was_read = false;
  bool own = false, works = false;
  uint64_t since = 0, entered_at = 0, read_at = 0;
  uint64_t place = 0;
};

struct Costs {
  std::string result_file;
  std::map<uint64_t, What> places;
  uint64_t beside = 0;
  uint64_t count = 0;  // instructions executed by the kernel
  bool looks = false, ended = false;
  CPUState* processor = nullptr;
  GByteArray* value = nullptr;
  Section now;
  Most entry, change, interrupt, masked;
};
Costs costs;

[[noreturn]] void refuse(const char* what, const std::string& which) {
  std::fprintf(stderr, "costs: %s %s\n", what, which.c_str());
  std::exit(1);
}

void note(Most& most, uint64_t count) {
  if (!costs.looks || costs.now.foreign || count <= most.count) return;
  most = {.count = count, .place = costs.now.place};
}

void end_section() {
  Section& now = costs.now;
  note(costs.masked, costs.count - now.since);
  if (now.switched && now.was_read) note(costs.change, costs.count - now.read_at);
  if (now.own && !now.works && !now.switched) note(costs.interrupt, costs.count - now.entered_at);
  now = {};
}

bool is_masked() {
  if (costs.processor == nullptr) {
    costs.processor = qemu_get_cpu(0);
    costs.value = g_byte_array_new();
  }
  g_byte_array_set_size(costs.value, 0);
  aarch64_cpu_gdb_read_register(costs.processor, costs.value, kStateRegister);
  const uint8_t* const bytes = costs.value->data;
  return ((bytes[0] | uint32_t{bytes[1]} << 8) & kMasked) != 0;
}

void kernel_block(unsigned /*processor*/, void* address) {
  const bool masked = is_masked();
  if (costs.now.masked && !masked) end_section();
  if (!masked || costs.now.masked) return;
  costs.now.masked = true;
  costs.now.since = costs.count;
  costs.now.place = reinterpret_cast<uint64_t>(address);
}

void other_block(unsigned /*processor*/, void* /*unused*/) {
  if (costs.now.masked) end_section();
}

void write_most(FILE* file, const char* name, const Most& most) {
  std::fprintf(file, "%s %" PRIu64 " %" PRIx64 "\n", name, most.count, most.place);
}

/// The program that runs the machine ends it as soon as the result is complete.
void write_result() {
  FILE* const file = std::fopen(costs.result_file.c_str(), "w");
  if (file == nullptr) refuse("cannot write", costs.result_file);
  write_most(file, "interrupt_entry", costs.entry);
  write_most(file, "context_switch", costs.change);
  write_most(file, "timer_interrupt", costs.interrupt);
  write_most(file, "longest_masked", costs.masked);
  std::fclose(file);
}

/// Before the instruction at a place, which has been counted: whichever comes first of the two.
void at_place(unsigned /*processor*/, void* what) {
  Section& now = costs.now;
  switch (static_cast<What>(reinterpret_cast<uintptr_t>(what))) {
    case What::Vector:
      // (Nothing was masked before it, even if no instruction has run between two sections.)
      if (costs.count > now.since) {
        end_section();
        now = {.masked = true, .since = costs.count, .place = now.place};
      }
      now.entered = true;
      now.entered_at = costs.count;
      return;
    case What::Read:
      if (now.switched) return;
      if (now.entered && !now.was_read) note(costs.entry, costs.count - now.entered_at);
      now.was_read = true;
      now.read_at = costs.count;
      return;
    case What::Switch:
      now.switched = true;
      return;
    case What::Begin:
      if (!costs.ended) costs.looks = true;
      return;
    case What::End:
      if (costs.looks) write_result();
      costs.looks = false;
      costs.ended = true;
      return;
    case What::Timer:
      now.own = now.entered;
      return;
    case What::Work:
      now.works = true;
      return;
    case What::Foreign:
      now.foreign = true;
      return;
    case What::Beside:
      return;
  }
}

void translated(qemu_plugin_id_t /*id*/, qemu_plugin_tb* block) {
  const uint64_t begin = qemu_plugin_tb_vaddr(block);
  if ((begin & kUpperHalf) == 0) {
    if (begin - costs.beside < kBeside) return;
    qemu_plugin_register_vcpu_tb_exec_cb(block, other_block, kNoRegisters, nullptr);
    return;
  }
  qemu_plugin_register_vcpu_tb_exec_cb(block, kernel_block, kNoRegisters,
                                       reinterpret_cast<void*>(begin));
  for (size_t i = 0; i < qemu_plugin_tb_n_insns(block); ++i) {
    qemu_plugin_insn* const instruction = qemu_plugin_tb_get_insn(block, i);
    const auto found = costs.places.find(qemu_plugin_insn_vaddr(instruction));
    if (found != costs.places.end()) {
      qemu_plugin_register_vcpu_insn_exec_cb(
          instruction, at_place, kNoRegisters,
          reinterpret_cast<void*>(static_cast<uintptr_t>(found->second)));
    }
    qemu_plugin_register_vcpu_insn_exec_inline(instruction, kAdd, &costs.count, 1);
  }
}

void read_places(const std::string& name) {
  FILE* const file = std::fopen(name.c_str(), "r");
  if (file == nullptr) refuse("cannot read", name);
  char what[16];
  uint64_t address;
  while (std::fscanf(file, "%15s %" SCNx64, what, &address) == 2) {
    const auto known = kNames.find(what);
    if (known == kNames.end()) refuse("there is no place", what);
    if (known->second == What::Beside) {
      costs.beside = address;
    } else {
      costs.places[address] = known->second;
    }
  }
  std::fclose(file);
}

}  // namespace

extern "C" {

[[gnu::visibility("default")]] int qemu_plugin_version = kPluginVersion;

[[gnu::visibility("default")]] int qemu_plugin_install(qemu_plugin_id_t id,
                                                       const qemu_info_t* /*info*/, int count,
                                                       char** words) {
  for (int i = 0; i < count; ++i) {
    const std::string word = words[i];
    const size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    const std::string value = equals == std::string::npos ? "" : word.substr(equals + 1);
    if (name == "places")
      read_places(value);
    else if (name == "result")
      costs.result_file = value;
    else
      refuse("there is no option", name);
  }
  qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
  return 0;
}

}  // extern "C"
