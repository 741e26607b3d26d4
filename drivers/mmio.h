// Device registers at addresses: Register<Bus, Word, address>, and the bus to the real ones.
//
// Invariants
// - One call is one access of exactly the register's width; none is left out, merged or moved
//   across another one.
// - A driver names its bus as a template parameter, MemoryBus unless said otherwise. Tests on the
//   host supply one that leads to a model of the device, and so see every access.
// - Addresses are those at which the kernel sees the device (physical + its offset); the memory is
//   mapped as Device, which keeps accesses to one device in order.
//
// A bus has:
//   read<Word>(address), write<Word>(address, value)
//   publish()    what was written to memory before can be seen by other cores and devices before
//                what is written to a device afterwards
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "kernel/base/atomic.h"

namespace hocket::drivers {

/// The processor's own loads and stores.
struct MemoryBus {
  template <class Word>
  [[gnu::always_inline]] static Word read(uintptr_t address) {
    // SAFETY: the board's constants name device memory there, mapped for as long as the kernel
    // runs, aligned for Word.
    return *reinterpret_cast<const volatile Word*>(address);
  }
  template <class Word>
  [[gnu::always_inline]] static void write(uintptr_t address, Word value) {
    // SAFETY: as above.
    *reinterpret_cast<volatile Word*>(address) = value;
  }
  [[gnu::always_inline]] static void publish() { thread_fence(order::release); }
};

/// One register.
template <class Bus, class Word, uintptr_t kAddress>
struct Register {
  [[gnu::always_inline]] static Word read() { return Bus::template read<Word>(kAddress); }
  [[gnu::always_inline]] static void write(Word value) {
    Bus::template write<Word>(kAddress, value);
  }
  /// A read and a write: other accesses that change the register must be excluded meanwhile.
  static void set_bits(Word bits) { write(static_cast<Word>(read() | bits)); }
  static void clear_bits(Word bits) { write(static_cast<Word>(read() & ~bits)); }
};

/// A row of registers: consecutive words, or words `kStride` bytes apart.
template <class Bus, class Word, uintptr_t kAddress, size_t kStride = sizeof(Word)>
struct Registers {
  [[gnu::always_inline]] static Word read(size_t index) {
    return Bus::template read<Word>(kAddress + index * kStride);
  }
  [[gnu::always_inline]] static void write(size_t index, Word value) {
    Bus::template write<Word>(kAddress + index * kStride, value);
  }
};

}  // namespace hocket::drivers
