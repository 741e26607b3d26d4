// SPDX-License-Identifier: GPL-2.0-or-later
// What QEMU 7.2 offers to plugins, and what of its own functions its program exports besides: as
// much of both as the pins need. Debian's package brings no header for either.
//
// Source: QEMU 7.2: its header for plugins, and those of timers (timer), lines (irq), devices
// (qdev-core) and objects (object). Another version may lay a timer out differently: who loads the
// plugin asks for the version first (tools/hocket/linux/pins.py).
#pragma once

#include <cstdint>

extern "C" {

using qemu_plugin_id_t = uint64_t;
inline constexpr int kPluginVersion = 1;

struct qemu_info_t;
struct qemu_plugin_tb;

void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t id,
                                           void (*translated)(qemu_plugin_id_t, qemu_plugin_tb*));
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
DeviceState* object_resolve_path(const char* path, bool* ambiguous);
DeviceState* object_resolve_path_type(const char* path, const char* type, bool* ambiguous);

}  // extern "C"
