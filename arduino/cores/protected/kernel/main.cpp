// The kernel's image: each core from the first C++ code to its first thread.
//
//   core 0: map, interrupts, surroundings, sketch, other cores, admission ─▶ loops
//   others: map, interrupts, wait for core 0                       ─▶ loops
#include "arduino/cores/protected/kernel/domain.h"
#include "arduino/cores/protected/kernel/machine.h"
#include "arduino/cores/protected/kernel/neighbour.h"
#include "arduino/cores/protected/kernel/restart.h"
#include "arduino/cores/protected/kernel/run.h"
#include "arduino/cores/protected/kernel/stopping.h"
#include "arduino/runtime/sketches.h"
#include "surroundings.h"

extern char hocket_sketch_begin[], hocket_sketch_end[];

namespace hocket {
namespace {

using Port = Board::Port;

// The sketch that this image carries. Only this file assumes that there is a single sketch.
Domain the_domain;
runtime::Sketch the_sketch;
constinit runtime::Sketches the_sketches;

Atomic<uint32_t> ready;  // number of cores that wait for core 0
Atomic<bool> may_go;     // admission is done

void must(const char* error) {
  if (error != nullptr) Port::halt(error);
}
void must_run(const char* error) {
  if (error != nullptr) surroundings::unusable(error);
}

[[gnu::cold]] void init_interrupts(CoreId core) {
  if (!Processor::start_interrupts<Port>(core))
    Port::halt("the interrupt controller has no real-time level");
}

/// At boot the board starts the core; in a restart it is already waiting.
bool start_core(CoreId core) {
  return restart::is_one() ? restart::let_go(core) : machine::start_core(core);
}

/// Returns how many cores the run uses: the number requested, or all. If unused cores would
/// otherwise spin for ever, starts all cores and lets the unused ones sleep.
[[gnu::cold]] unsigned start_cores() {
  const unsigned wanted = surroundings::cores_wanted();
  const bool all = machine::Board::kCoresWaitBusily && !restart::is_one();
  const unsigned wake = all ? Port::kCores : wanted;
  unsigned started = 1;
  while (started < wake && started < Port::kCores && start_core(static_cast<CoreId>(started))) {
    ++started;
  }
  while (ready.load(order::acquire) + 1 < started) Port::relax();
  return smaller(started, wanted);
}

[[noreturn, gnu::cold]] void boot_first_core() {
  must(Processor::map_kernel(machine::Board::kDevicesBegin, machine::Board::kDevicesEnd));
  must(machine::map());
  Processor::use_map();
  // Checked only now, because the UART that reports it must be mapped.
  if (Processor::counter_rate() != Port::kTickHz) {
    Port::halt("the board's counter does not run at the rate this image is made for");
  }
  init_interrupts(0);
  Processor::at_section_end<Port>(&stopping::take_part);
  must(surroundings::open());
  if (restart::is_one()) neighbour::sketch_begins();
  runtime::seed_policy<System>(static_cast<uint32_t>(surroundings::seed()));
  must_run(the_domain.load(hocket_sketch_begin, hocket_sketch_end));
  the_domain.enter();
  must_run(the_sketch.load(the_domain));
  if (!the_sketches.add(the_sketch)) Port::halt("the sketch has more loops than its image may");
  Port::cores_there = start_cores();
  run::set_cores(Port::cores_there);
  const bool accepted = the_sketches.admit(Port::cores_there);
  if (!accepted || surroundings::check_only()) run::answer(accepted);
  if (!the_sketches.allocate_stacks()) {
    surroundings::unusable("there is not enough memory for the stacks of all loops");
  }
  may_go.store(true, order::release);
  the_sketches.boot(0);
}

[[noreturn, gnu::cold]] void boot_other_core(CoreId core) {
  Processor::use_map();
  init_interrupts(core);
  ready.fetch_add(1, order::acquire_release);
  while (!may_go.load(order::acquire)) Port::relax();
  if (core >= Port::core_count()) restart::sleep_for_good();
  the_domain.enter();
  the_sketches.boot(core);
}

}  // namespace

runtime::Sketches& runtime::sketches() {
  return the_sketches;
}

void Board::started() {
  surroundings::start();
}

}  // namespace hocket

extern "C" {

void hocket_kernel_start(uint64_t number) {
  const auto core = static_cast<hocket::CoreId>(number);
  hocket::Processor::begin_core(core);
  if (core == 0) {
    hocket::Processor::construct_globals();
    hocket::boot_first_core();
  }
  hocket::boot_other_core(core);
}
}
