// What loops do to words that they share, in AArch64's own instructions: shorter than the
// compiler's.
#pragma once

namespace hocket {

/// A store that fails because somebody came between begins anew, with what is there then.
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
