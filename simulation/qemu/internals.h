// SPDX-License-Identifier: GPL-2.0-or-later
// What QEMU 7.2 offers to plugins, and what of its own functions its program exports besides: as
// much of both as the plugins here need. Debian's package brings no header for either.
//
// Source: QEMU 7.2: its header for plugins, and those of timers (timer), lines (irq), devices
// (qdev-core) and objects (object). Another version may lay a timer out differently: who loads the
// plugin asks for the version first (tools/hocket/linux/pins.py).
#pragma once

#include <cstddef>
#include <cstdint>

extern "C" {

using qemu_plugin_id_t = uint64_t;
inline constexpr int kPluginVersion = 1;

struct qemu_info_t;
struct qemu_plugin_tb;

void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t id,
                                           void (*translated)(qemu_plugin_id_t, qemu_plugin_tb*));
struct qemu_plugin_insn;
inline constexpr int kNoRegisters = 0;  // QEMU_PLUGIN_CB_NO_REGS
inline constexpr int kAdd = 0;          // QEMU_PLUGIN_INLINE_ADD_U64
uint64_t qemu_plugin_tb_vaddr(const qemu_plugin_tb* block);
size_t qemu_plugin_tb_n_insns(const qemu_plugin_tb* block);
qemu_plugin_insn* qemu_plugin_tb_get_insn(const qemu_plugin_tb* block, size_t index);
uint64_t qemu_plugin_insn_vaddr(const qemu_plugin_insn* instruction);
void qemu_plugin_register_vcpu_tb_exec_cb(qemu_plugin_tb* block, void (*executed)(unsigned, void*),
                                          int registers, void* user);
void qemu_plugin_register_vcpu_insn_exec_cb(qemu_plugin_insn* instruction,
                                            void (*executed)(unsigned, void*), int registers,
                                            void* user);
void qemu_plugin_register_vcpu_insn_exec_inline(qemu_plugin_insn* instruction, int operation,
                                                void* counter, uint64_t amount);
void qemu_plugin_register_atexit_cb(qemu_plugin_id_t id, void (*ended)(qemu_plugin_id_t, void*),
                                    void* user);

struct QEMUTimer {
  int64_t expire_time;
  void* timer_list;
  void (*callback)(void*);
  void* opaque;
  QEMUTimer* next;
  int attributes;
  int scale;
};
inline constexpr int kVirtualClock = 1;  // QEMU_CLOCK_VIRTUAL: with -icount shift=0, instructions
inline constexpr int kNanoseconds = 1;   // SCALE_NS

int64_t qemu_clock_get_ns(int clock);
void timer_init_full(QEMUTimer* timer, void* group, int clock, int scale, int attributes,
                     void (*callback)(void*), void* opaque);
void timer_mod_ns(QEMUTimer* timer, int64_t at);

struct IRQState;
struct DeviceState;

void qemu_set_irq(IRQState* line, int level);
IRQState* qemu_allocate_irq(void (*changed)(void*, int, int), void* opaque, int number);
IRQState* qdev_get_gpio_in_named(DeviceState* device, const char* name, int number);
IRQState* qdev_intercept_gpio_out(DeviceState* device, IRQState* instead, const char* name,
                                  int number);
struct CPUState;
struct GByteArray {  // GLib's
  uint8_t* data;
  unsigned length;
};
GByteArray* g_byte_array_new();
GByteArray* g_byte_array_set_size(GByteArray* array, unsigned length);
CPUState* qemu_get_cpu(int number);
/// As a debugger asks for it; appended.
int aarch64_cpu_gdb_read_register(CPUState* processor, GByteArray* value, int number);

DeviceState* object_resolve_path(const char* path, bool* ambiguous);
DeviceState* object_resolve_path_type(const char* path, const char* type, bool* ambiguous);

}  // extern "C"
