// What a sketch's image says about its loops (boards/uno/sketch/board_loops.h), and the admission
// test.
#pragma once

#include <string>
#include <vector>

#include "boards/program/facts.h"
#include "boards/uno/simulator/firmware.h"
#include "boards/uno/simulator/kernel_view.h"

namespace hocket::uno {

struct Loop {
  unsigned id;
  bool periodic;
  bool background;
  unsigned core;
  unsigned line;
  uint64_t budget_ns, period_ns, deadline_ns;
  uint16_t stack_bytes;
  uint16_t memory;  // where its thread, then its stack is; 0: the plain loop()
  std::string file;
};

struct Declared {
  std::vector<Loop> loops;  // the plain loop() first, where there is one
  bool has_kernel = false;
  Layout kernel{};
};

/// Throws BadFirmware.
Declared read_declared(const Firmware& firmware);

/// Admits the loops, or says in `facts` why not.
void admit(const Declared& declared, program::RunFacts& facts);

}  // namespace hocket::uno
