// Making an object in memory that is already there, without a standard library.
#pragma once

#include "kernel/base/types.h"

namespace hocket {

/// Where an object is to be made. A type of our own: `<new>`, where there is one, keeps its
/// operator.
struct Place {
  void* address;
};

}  // namespace hocket

inline void* operator new(size_t, hocket::Place place) noexcept {
  return place.address;
}

namespace hocket {

/// Constructs a T at `address`, which is aligned and large enough for it.
template <class T, class... Arguments>
T* construct(void* address, Arguments&&... arguments) {
  return ::new (Place{address}) T(static_cast<Arguments&&>(arguments)...);
}

}  // namespace hocket
