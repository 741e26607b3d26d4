// A stable sort. libstdc++ 12's own calls something it deprecates, which clang 19 reports as an
// error; what is sorted here is short or nearly in order, where insertion does well.
#pragma once

#include <algorithm>
#include <vector>

namespace hocket::test {

/// Sorts by `before`; equal elements keep their order.
template <typename Element, typename Before>
void sort_stably(std::vector<Element>& elements, Before before) {
  for (auto next = elements.begin(); next != elements.end(); ++next) {
    std::rotate(std::upper_bound(elements.begin(), next, *next, before), next, next + 1);
  }
}

}  // namespace hocket::test
