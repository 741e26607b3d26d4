// Constructs an object in existing memory, without a standard library.
#pragma once

#include "kernel/base/types.h"

namespace hocket {

/// The address for the placement new below. A separate type, so that the operator of `<new>` is not
/// redefined where that header exists.
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
