// What images without a sketch share: from hocket_kernel_start to their own code, and the end.
#pragma once

#include "arduino/cores/protected/kernel/machine.h"
#include "board.h"
#include "ports/aarch64/boot.h"
#include "ports/aarch64/interrupts.h"
#include "ports/aarch64/memory_map.h"

namespace hocket::bare {

/// The calling core gets the final map and its interrupts, and stays masked.
template <class Port, class MachineBoard = machine::Board>
void prepare(CoreId core) {
  aarch64::init_core(core);
  if (core == 0) {
    aarch64::construct_globals();
    const char* error = memory::prepare(MachineBoard::kDevicesBegin, MachineBoard::kDevicesEnd);
    if constexpr (requires { MachineBoard::kNormalBegin; }) {
      if (error == nullptr) error = machine::map();
    }
    if (error != nullptr) hocket_halt(error);
  }
  memory::use();
  if (!aarch64::Interrupts<Port>::init_core(core)) hocket_halt("no interrupts");
}

/// The image's exit status; the emulator ends.
[[noreturn]] void exit(unsigned status);

/// Prints a text on the host's console.
void print(const char* text);

/// The command line's last word is `word`.
bool asked_for(const char* word);

}  // namespace hocket::bare
