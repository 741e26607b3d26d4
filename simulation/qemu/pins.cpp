// SPDX-License-Identifier: GPL-2.0-or-later
// Signal generator and logic analyser at the pins of a machine in QEMU: drives inputs of its PL061
// at exact instants, and writes down when its lines change. The machine sees a PL061 that is wired
// to something.
//
//   -plugin FILE,edges=FILE,trace=FILE[,start=LINE][,device=PATH]
//
//   edges   lines `INSTANT LINE LEVEL`, by instants: in ns of the virtual clock since the start
//   trace   the changes that came, as VCD: in0 to in7 and out0 to out7 in the scope board, ns of the virtual
//           clock since the machine started
//   start   the output whose first rise is the start; without it, the machine's
//   device  which one, by its path in QEMU, where the machine has several
//
// It is loaded as a plugin, whose interface it needs only as the way in: the rest are QEMU's own
// functions (internals.h). So it is under QEMU's licence.
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "simulation/qemu/internals.h"

namespace {

constexpr int kLines = 8;

struct Edge {
  int64_t at;
  int line;
  int level;
};

struct Pins {
  std::string edges_file, trace_file, device;
  int start = -1;

  std::vector<Edge> edges;
  size_t next = 0;
  int64_t begin = -1;  // instant of the start; -1: not yet
  IRQState* inputs[kLines] = {};
  QEMUTimer timer = {};
  FILE* trace = nullptr;
  int64_t written = 0;  // the last instant in the trace
};
Pins pins;

[[noreturn]] void refuse(const char* what, const std::string& which) {
  std::fprintf(stderr, "pins: %s %s\n", what, which.c_str());
  std::exit(1);
}

void write_change(char code, int level) {
  const int64_t now = qemu_clock_get_ns(kVirtualClock);
  if (now != pins.written) std::fprintf(pins.trace, "#%" PRId64 "\n", now);
  pins.written = now;
  std::fprintf(pins.trace, "%d%c\n", level, code);
}

char input_code(int line) {
  return static_cast<char>('A' + line);
}
char output_code(int line) {
  return static_cast<char>('a' + line);
}

void begin_trace() {
  pins.trace = std::fopen(pins.trace_file.c_str(), "w");
  if (pins.trace == nullptr) refuse("cannot write", pins.trace_file);
  std::fputs("$timescale 1 ns $end\n$scope module board $end\n", pins.trace);
  for (int line = 0; line < kLines; ++line) {
    std::fprintf(pins.trace, "$var wire 1 %c in%d $end\n", input_code(line), line);
    std::fprintf(pins.trace, "$var wire 1 %c out%d $end\n", output_code(line), line);
  }
  std::fputs("$upscope $end\n$enddefinitions $end\n#0\n", pins.trace);
  for (int line = 0; line < kLines; ++line)
    std::fprintf(pins.trace, "0%c\nx%c\n", input_code(line), output_code(line));
}

void read_edges() {
  FILE* file = std::fopen(pins.edges_file.c_str(), "r");
  if (file == nullptr) refuse("cannot read", pins.edges_file);
  Edge edge = {};
  int64_t before = 0;
  while (std::fscanf(file, "%" SCNd64 " %d %d", &edge.at, &edge.line, &edge.level) == 3) {
    if (edge.line < 0 || edge.line >= kLines || edge.at < before)
      refuse("there is a line or an instant that cannot be in", pins.edges_file);
    before = edge.at;
    pins.edges.push_back(edge);
  }
  if (std::feof(file) == 0)
    refuse("there is more than three numbers in a line of", pins.edges_file);
  std::fclose(file);
}

void wait_for_next() {
  if (pins.next < pins.edges.size())
    timer_mod_ns(&pins.timer, pins.begin + pins.edges[pins.next].at);
}

void drive(void* /*unused*/) {
  const int64_t now = qemu_clock_get_ns(kVirtualClock);
  while (pins.next < pins.edges.size() && pins.begin + pins.edges[pins.next].at <= now) {
    const Edge& edge = pins.edges[pins.next++];
    write_change(input_code(edge.line), edge.level);
    qemu_set_irq(pins.inputs[edge.line], edge.level);
  }
  wait_for_next();
}

void begin_edges() {
  pins.begin = qemu_clock_get_ns(kVirtualClock);
  wait_for_next();
}

/// An output of the PL061 has changed.
void output_changed(void* /*unused*/, int line, int level) {
  write_change(output_code(line), level);
  if (pins.begin < 0 && line == pins.start && level != 0) begin_edges();
}

/// Before the machine's first instruction, when all its devices are there.
void connect() {
  bool ambiguous = false;
  DeviceState* device = pins.device.empty() ? object_resolve_path_type("", "pl061", &ambiguous)
                                            : object_resolve_path(pins.device.c_str(), &ambiguous);
  if (device == nullptr) refuse("the machine does not have exactly one PL061", pins.device);
  begin_trace();
  for (int line = 0; line < kLines; ++line) {
    pins.inputs[line] = qdev_get_gpio_in_named(device, nullptr, line);
    qdev_intercept_gpio_out(device, qemu_allocate_irq(output_changed, nullptr, line), nullptr,
                            line);
  }
  timer_init_full(&pins.timer, nullptr, kVirtualClock, kNanoseconds, 0, drive, nullptr);
  if (pins.start < 0) begin_edges();
}

void translated(qemu_plugin_id_t /*id*/, qemu_plugin_tb* /*block*/) {
  if (pins.trace == nullptr) connect();
}

void ended(qemu_plugin_id_t /*id*/, void* /*unused*/) {
  if (pins.trace != nullptr) std::fclose(pins.trace);
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
    if (name == "edges")
      pins.edges_file = value;
    else if (name == "trace")
      pins.trace_file = value;
    else if (name == "start")
      pins.start = std::atoi(value.c_str());
    else if (name == "device")
      pins.device = value;
    else
      refuse("there is no option", name);
  }
  read_edges();
  qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
  qemu_plugin_register_atexit_cb(id, ended, nullptr);
  return 0;
}

}  // extern "C"
