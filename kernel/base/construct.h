// Construction of an object in memory that is there already: placement new without a standard
// library.
#pragma once

#include "kernel/base/types.h"

namespace hocket::detail {
/// Keeps the operator below apart from the standard library's, where there is one.
struct InPlace {};
}  // namespace hocket::detail

inline void* operator new(size_t, void* memory, hocket::detail::InPlace) noexcept {
  return memory;
}

namespace hocket {

/// Makes a T in `memory`, which has its size and alignment and holds no object that matters.
template <class T, class... Arguments>
T* construct(void* memory, const Arguments&... arguments) {
  return new (memory, detail::InPlace{}) T(arguments...);
}

}  // namespace hocket
