// Instantiates the boot-time parts for test_aarch64_targets.py, which reads the machine code.
#include "ports/aarch64/page_table.h"

namespace hocket::aarch64 {

extern "C" MapResult hocket_probe_map(PagePool& pool, PageTable& table, uint64_t address,
                                      uint64_t physical, uint64_t size) {
  return table.map(pool, address, physical, size, Access::KernelData);
}

}  // namespace hocket::aarch64
