// The memory of a sketch: a table of the lower half, with pages from the kernel's pool.
#pragma once

#include "ports/aarch64/boot.h"
#include "ports/aarch64/core_local.h"
#include "ports/aarch64/memory_map.h"

namespace hocket::aarch64 {

class UserSpace {
 public:
  bool share(uint64_t address, const void* image, uint64_t size, bool execute) {
    return map(address, physical(image), size, execute ? Access::UserText : Access::UserRead);
  }

  void* give(uint64_t address, uint64_t size) {
    PagePool& frames = memory::frames();
    const uint64_t physical = frames.take(size / kPageSize);
    if (physical == kNoAddress) return nullptr;
    void* const pages = frames.at<char>(physical);
    clear(pages, size);
    return map(address, physical, size, Access::UserData) ? pages : nullptr;
  }

  bool share_device(uint64_t address, uint64_t registers) {
    return map(address, registers, kPageSize, Access::UserDevice);
  }

  Domain domain() const {
    constexpr uint16_t kNumber = 1;
    return domain_of(table_.root(), kNumber);
  }

  /// The TLB must not keep entries from before a restart of the sketch.
  template <class Port>
  void enter() const {
    asm volatile("dsb ishst" ::: "memory");  // completes core 0's writes to the table
    Port::enter_domain(domain());
    Level::forget_translations();
  }

 private:
  /// Fills pages with zeros. DC ZVA clears a block of the size in DCZID_EL0 (DDI 0487, C5.3.9).
  static void clear(void* begin, size_t size) {
    uint64_t id;
    asm("mrs %0, dczid_el0" : "=r"(id));
    const size_t step = size_t{4} << (id & 15);
    for (auto* at = static_cast<char*>(begin); at < static_cast<char*>(begin) + size; at += step) {
      asm volatile("dc zva, %0" ::"r"(at) : "memory");
    }
  }

  bool map(uint64_t address, uint64_t physical, uint64_t size, Access access) {
    return table_.map(memory::frames(), address, physical, size, access) == MapResult::Done;
  }

  PageTable table_{Half::Low};
};

}  // namespace hocket::aarch64
