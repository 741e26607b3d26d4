// Atomic variables of the kernel on compiler builtins: Atomic<T>, the same on plain words, fences.
//
// Invariants
// - What compiles is one or a few inline instructions; nothing calls a library function.
// - The memory order is part of the call (`flag.load(order::acquire)`); an order that makes no
//   sense for the operation does not compile.
// - A processor has atomic instructions for a width or it does not, and the compiler says which:
//
//     width           atomic instructions (AArch64,    none (8-bit AVR, Armv6-M)
//                     x86, Armv7-M up to 4 bytes)
//     1 byte          load, store, read-modify-write   load and store: one plain instruction
//     to a register   load, store, read-modify-write   the same (Armv6-M: 4 bytes)
//     wider           does not compile                 does not compile: use a plain variable and
//                                                      mask interrupts around each access
//
//   The right-hand column: a value that fits into a register moves in one instruction, and
//   interrupts and preemptions fall between instructions. Fences beside the access give the order
//   if such a processor has a second core (RP2040). On AVR they only restrain the compiler.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace hocket {

namespace order {
/// A memory order of C++ [atomics.order] as a type, so that it is always a constant.
template <int kModel>
struct Tag {};
inline constexpr Tag<__ATOMIC_RELAXED> relaxed{};
inline constexpr Tag<__ATOMIC_ACQUIRE> acquire{};
inline constexpr Tag<__ATOMIC_RELEASE> release{};
inline constexpr Tag<__ATOMIC_ACQ_REL> acquire_release{};
inline constexpr Tag<__ATOMIC_SEQ_CST> sequential{};

template <int kModel>
concept ForLoad =
    kModel == __ATOMIC_RELAXED || kModel == __ATOMIC_ACQUIRE || kModel == __ATOMIC_SEQ_CST;
template <int kModel>
concept ForStore =
    kModel == __ATOMIC_RELAXED || kModel == __ATOMIC_RELEASE || kModel == __ATOMIC_SEQ_CST;
}  // namespace order

/// The processor has atomic instructions for T, read-modify-write included.
template <typename T>
inline constexpr bool kHasAtomicInstructions = __atomic_always_lock_free(sizeof(T), nullptr);

/// What an atomic variable can hold: an integer, a boolean, an enumeration or a pointer, up to 8
/// bytes.
template <typename T>
concept AtomicValue = (__is_integral(T) || __is_enum(T) || __is_pointer(T)) && sizeof(T) <= 8;

/// The most bytes that one plain instruction moves. Registers are as wide as addresses, except on
/// 8-bit processors.
inline constexpr size_t kRegisterBytes = sizeof(void*) == 2 ? 1 : sizeof(void*);

/// A load and a store of T are each one indivisible step here.
template <typename T>
concept AtomicAccess = AtomicValue<T> && (kHasAtomicInstructions<T> || sizeof(T) <= kRegisterBytes);

/// A read-modify-write of T is one indivisible step here.
template <typename T>
concept AtomicUpdate = AtomicValue<T> && kHasAtomicInstructions<T>;

/// Keeps the compiler, not the processor, from moving memory accesses across this point.
inline void compiler_fence() {
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

/// Fence of the given order between this core and the others (C++ [atomics.fences]).
template <int kModel>
inline void thread_fence(order::Tag<kModel>) {
  __atomic_thread_fence(kModel);
}

// --- Operations on a plain word ---
//
// For words whose type is fixed elsewhere, such as the `uint32_t` lock a sketch declares. Every
// access that can be concurrent must go through these. Any context; none blocks.

template <AtomicAccess T, int kModel>
  requires order::ForLoad<kModel>
inline T atomic_load(const T& word, order::Tag<kModel>) {
  if constexpr (kHasAtomicInstructions<T>) {
    T value;
    __atomic_load(&word, &value, kModel);
    return value;
  } else {
    if constexpr (kModel == __ATOMIC_SEQ_CST) thread_fence(order::sequential);
    const T value = *static_cast<const volatile T*>(&word);
    thread_fence(order::sequential);  // what follows stays after the load
    return value;
  }
}

template <AtomicAccess T, int kModel>
  requires order::ForStore<kModel>
inline void atomic_store(T& word, T value, order::Tag<kModel>) {
  if constexpr (kHasAtomicInstructions<T>) {
    __atomic_store(&word, &value, kModel);
  } else {
    thread_fence(order::sequential);  // what precedes stays before the store
    *static_cast<volatile T*>(&word) = value;
    // a sequential store also stays before later loads
    if constexpr (kModel == __ATOMIC_SEQ_CST) thread_fence(order::sequential);
  }
}

/// Adds (wrapping) and returns the value before.
template <AtomicUpdate T, int kModel>
  requires(__is_integral(T))
inline T atomic_fetch_add(T& word, T amount, order::Tag<kModel>) {
  return __atomic_fetch_add(&word, amount, kModel);
}

/// Replaces the value and returns the one before.
template <AtomicUpdate T, int kModel>
inline T atomic_exchange(T& word, T value, order::Tag<kModel>) {
  T before;
  __atomic_exchange(&word, &value, &before, kModel);
  return before;
}

/// Stores `desired` if the word is `expected` and returns true; otherwise puts the word's value in
/// `expected` (a load of order `kFailure`) and returns false. Never fails for another reason.
template <AtomicUpdate T, int kSuccess, int kFailure>
  requires order::ForLoad<kFailure>
inline bool atomic_compare_exchange(T& word, T& expected, T desired, order::Tag<kSuccess>,
                                    order::Tag<kFailure>) {
  return __atomic_compare_exchange(&word, &expected, &desired, false, kSuccess, kFailure);
}

// --- An atomic variable ---

/// A variable that is only ever accessed atomically; zero unless given a value, and
/// constant-initialised.
template <AtomicValue T>
class Atomic {
  static_assert(
      AtomicAccess<T>,
      "this processor does not read and write so wide a value in one step (on 8 bits: more than a "
      "byte): use a narrower type, or a plain variable accessed with interrupts masked");

 public:
  constexpr Atomic() = default;
  constexpr explicit Atomic(T value) : value_(value) {}
  Atomic(const Atomic&) = delete;
  Atomic& operator=(const Atomic&) = delete;

  template <int kModel>
    requires order::ForLoad<kModel>
  T load(order::Tag<kModel> model) const {
    return atomic_load(value_, model);
  }
  template <int kModel>
    requires order::ForStore<kModel>
  void store(T value, order::Tag<kModel> model) {
    atomic_store(value_, value, model);
  }
  template <int kModel>
    requires AtomicUpdate<T>
  T fetch_add(T amount, order::Tag<kModel> model) {
    return atomic_fetch_add(value_, amount, model);
  }
  template <int kModel>
    requires AtomicUpdate<T>
  T exchange(T value, order::Tag<kModel> model) {
    return atomic_exchange(value_, value, model);
  }
  template <int kSuccess, int kFailure>
    requires(AtomicUpdate<T> && order::ForLoad<kFailure>)
  bool compare_exchange(T& expected, T desired, order::Tag<kSuccess> success,
                        order::Tag<kFailure> failure) {
    return atomic_compare_exchange(value_, expected, desired, success, failure);
  }

 private:
  alignas(sizeof(T)) T value_{};  // naturally aligned: some 32-bit ABIs align 8-byte integers to 4
};

}  // namespace hocket
