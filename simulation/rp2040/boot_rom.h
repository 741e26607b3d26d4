// The boot ROM: a table of functions as programs find them, each of which this computer performs
// (datasheet, 2.8). None of its code is here.
//
// Its first instruction, the start from flash and the launch of core 1 are Chip's.
#pragma once

#include <cstdint>
#include <functional>

#include "simulation/rp2040/core/core.h"
#include "simulation/rp2040/memory.h"

namespace hocket::rp2040 {

class BootRom {
 public:
  /// Writes the ROM's table of functions into memory.
  explicit BootRom(Memory& memory);

  /// Performs a function for a core, which then returns from it. Returns false if there is none of
  /// this number. Throws NotModelled.
  bool call(unsigned number, Core& core);

 private:
  void erase(uint32_t offset, uint32_t size);
  void program(uint32_t offset, uint32_t from, uint32_t size);

  Memory& memory_;
};

}  // namespace hocket::rp2040
