// The kernel's final map (see memory_map.h).
#include "ports/aarch64/memory_map.h"

#include "exception_level.h"
#include "kernel/base/atomic.h"
#include "ports/aarch64/boot.h"
#include "ports/aarch64/layout.h"

// From kernel.ld.
extern char hocket_text_begin[], hocket_rodata_begin[], hocket_rodata_end[], hocket_kept_begin[];
extern char hocket_boot_stacks_begin[], hocket_frames_begin[], hocket_frames_end[];

static_assert(hocket::aarch64::Level::kTcr == HOCKET_TCR);
static_assert(hocket::aarch64::kMair == HOCKET_MAIR);

namespace hocket::memory {
namespace {

using aarch64::Access;
using aarch64::MapResult;
using aarch64::PagePool;
using aarch64::PageTable;

PagePool pool;
PageTable kernel_half{aarch64::Level::kKernelRegime};
uint64_t empty_table;
// Thread stacks are in the second half of the kernel's half, beyond the image of any physical
// address.
constexpr uint64_t kStacksBegin = HOCKET_KERNEL_OFFSET + 0x40'0000'0000;
uint64_t next_stack = kStacksBegin;
Atomic<uint32_t> making_stack;  // cores create their threads at the same time

bool map_image(const char* begin, const char* end, Access access) {
  return kernel_half.map(pool, reinterpret_cast<uint64_t>(begin), aarch64::physical(begin),
                         static_cast<uint64_t>(end - begin), access) == MapResult::Done;
}

/// Maps each boot stack except its lowest page, which detects an overflow.
bool map_boot_stacks() {
  for (const char* stack = hocket_boot_stacks_begin; stack < hocket_boot_stacks_end;
       stack += HOCKET_BOOT_STACK) {
    if (!map_image(stack + aarch64::kPageSize, stack + HOCKET_BOOT_STACK, Access::KernelData)) {
      return false;
    }
  }
  return true;
}

}  // namespace

const char* prepare(uint64_t devices_begin, uint64_t devices_end) {
  const uint64_t frames_begin = aarch64::physical(hocket_frames_begin);
  pool = PagePool(frames_begin, static_cast<uint64_t>(hocket_frames_end - hocket_frames_begin),
                  HOCKET_KERNEL_OFFSET);
  kernel_half = PageTable(aarch64::Level::kKernelRegime);
  const bool done = map_image(hocket_text_begin, hocket_rodata_begin, Access::KernelText) &&
                    map_image(hocket_rodata_begin, hocket_rodata_end, Access::KernelRead) &&
                    map_image(hocket_kept_begin, hocket_boot_stacks_begin, Access::KernelData) &&
                    map_boot_stacks() &&
                    map_image(hocket_frames_begin, hocket_frames_end, Access::KernelData);
  if (!done) return "the kernel's image cannot be mapped";
  empty_table = pool.take(1);
  auto* entries = pool.at<volatile uint64_t>(empty_table);
  for (unsigned i = 0; i < aarch64::kPageSize / sizeof *entries; ++i) entries[i] = 0;
  return map_devices(devices_begin, devices_end);
}

const char* map_devices(uint64_t begin, uint64_t end) {
  const MapResult result =
      kernel_half.map(pool, begin + HOCKET_KERNEL_OFFSET, begin, end - begin, Access::Device);
  return result == MapResult::Done ? nullptr : "the board's devices cannot be mapped";
}

const char* map_beside(uint64_t begin, uint64_t end) {
  const MapResult result =
      kernel_half.map(pool, begin + HOCKET_KERNEL_OFFSET, begin, end - begin, Access::Beside);
  return result == MapResult::Done ? nullptr : "the other world's memory cannot be mapped";
}

port::Stack kernel_stack(size_t bytes) {
  while (making_stack.exchange(1, order::acquire) != 0) asm volatile("yield");
  const uint64_t size = (bytes + aarch64::kPageSize - 1) / aarch64::kPageSize * aarch64::kPageSize;
  const uint64_t guard = next_stack;
  const uint64_t physical = pool.take(size / aarch64::kPageSize);
  const bool mapped = physical != aarch64::kNoAddress &&
                      kernel_half.map(pool, guard + aarch64::kPageSize, physical, size,
                                      Access::KernelData) == MapResult::Done;
  if (mapped) next_stack = guard + aarch64::kPageSize + size;
  // SAFETY: entries only change from invalid to valid, which needs no invalidation (page_table.h).
  asm volatile("dsb ishst\n isb" ::: "memory");
  making_stack.store(0, order::release);
  if (!mapped) return {nullptr, 0};
  return {reinterpret_cast<void*>(guard + aarch64::kPageSize), size};
}

void use() {
  hocket_use_final_map(kernel_half.root(), empty_table);
}

PagePool& frames() {
  return pool;
}

}  // namespace hocket::memory
