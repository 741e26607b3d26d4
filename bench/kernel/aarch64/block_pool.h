// Memory in blocks of one size: taken and given back in a few instructions, never fragmented.
//
//   fresh_ ──────────────────────┐
//   [ in use ][ free ][ in use ] [ never used … ]
//                └─▶ next free      free_ is the one given back last
//
// Blocks that were never used are counted, not linked, so the pool needs no initialisation and its
// memory no contents. From anywhere, interrupt handlers included; any core. O(1); never blocks.
#pragma once

#include "kernel/base/types.h"

namespace hocket {

template <class Port, size_t kBlockSize, unsigned kBlocks>
class BlockPool {
  static_assert(kBlockSize >= sizeof(void*) && kBlockSize % alignof(void*) == 0,
                "a free block holds a pointer");
  static_assert(kBlocks >= 1);

 public:
  constexpr BlockPool() = default;

  /// A block with any contents; null when all are in use.
  void* take() {
    const typename Port::IrqState state = Port::irq_save();
    Port::lock(lock_);
    Block* block = free_;
    if (block != nullptr) {
      free_ = block->next;
    } else if (fresh_ < kBlocks) {
      block = &blocks_[fresh_++];
    }
    Port::unlock(lock_);
    Port::irq_restore(state);
    return block;
  }

  /// `memory` is a block of this pool, and in use.
  void give_back(void* memory) {
    HOCKET_CHECK(owns(memory));
    auto* block = static_cast<Block*>(memory);
    const typename Port::IrqState state = Port::irq_save();
    Port::lock(lock_);
    block->next = free_;
    free_ = block;
    Port::unlock(lock_);
    Port::irq_restore(state);
  }

  /// `memory` is the beginning of a block of this pool that has been in use.
  bool owns(const void* memory) const {
    const auto offset =
        reinterpret_cast<uintptr_t>(memory) - reinterpret_cast<uintptr_t>(&blocks_[0]);
    return offset < fresh_ * sizeof(Block) && offset % sizeof(Block) == 0;
  }

 private:
  union Block {
    Block* next;
    unsigned char bytes[kBlockSize];
  };

  [[no_unique_address]] typename Port::Lock lock_{};
  unsigned fresh_ = 0;
  Block* free_ = nullptr;
  Block blocks_[kBlocks] = {};
};

}  // namespace hocket
