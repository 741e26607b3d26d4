// Atomic operations on words that loops share, in AArch64 instructions: shorter than the compiler's
// code.
#pragma once

namespace hocket {

/// If the exclusive store fails, starts again with the new value.
template <class Count>
[[gnu::always_inline]] inline bool change_count(Count& count, int by) {
  Count wanted;
  do {
    const Count seen = __builtin_arm_ldaex(&count);
    wanted = static_cast<Count>(static_cast<unsigned>(seen) + static_cast<unsigned>(by));
    if ((by < 0 ? seen : wanted) < 1) return false;
  } while (__builtin_arm_stlex(wanted, &count) != 0);
  return true;
}

}  // namespace hocket
