#include "simulation/rp2040/memory.h"

namespace hocket::rp2040 {

uint8_t* Memory::bytes(uint32_t address, uint32_t size) {
  struct Part {
    uint32_t base;
    std::vector<uint8_t>& bytes;
  };
  for (const Part& part : {Part{kFlashBase, flash_}, Part{kRamBase, ram_}, Part{kRomBase, rom_}}) {
    if (address >= part.base && address - part.base <= part.bytes.size() &&
        size <= part.bytes.size() - (address - part.base)) {
      return part.bytes.data() + (address - part.base);
    }
  }
  return nullptr;
}

}  // namespace hocket::rp2040
