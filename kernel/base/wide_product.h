// The product of two numbers in a type that is twice as wide. A port may specialise it, where its
// processor does that in fewer instructions than the compiler finds.
#pragma once

#include "kernel/base/types.h"

namespace hocket {

template <class Wide, class Half>
constexpr Wide wide_product(Half a, Half b) {
  return Wide{a} * b;
}

}  // namespace hocket
