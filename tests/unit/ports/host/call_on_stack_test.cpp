// A call on another stack: it is there, it comes back, by an exception as well, and the caller's
// own stack is hardly used (ports/host/context.h).
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "ports/host/context.h"

namespace hocket::host {
namespace {

class CallOnStack : public testing::Test {
 protected:
  template <class Act>
  void call(Act act) {
    call_on_stack(stack_.data(), stack_.size(), [](void* of) { (*static_cast<Act*>(of))(); }, &act);
  }
  bool is_there(const volatile void* address) const {
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    return at - reinterpret_cast<std::uintptr_t>(stack_.data()) < stack_.size();
  }

  std::vector<char> stack_ = std::vector<char>(64 * 1024);
};

/// Where its frame is, whatever a sanitizer does with locals.
[[gnu::noinline]] void* frame() {
  return __builtin_frame_address(0);
}

TEST_F(CallOnStack, RunsThereAndComesBack) {
  EXPECT_FALSE(is_there(frame()));
  bool there = false;
  call([&] { there = is_there(frame()); });
  EXPECT_TRUE(there);
  EXPECT_FALSE(is_there(frame()));
}

TEST_F(CallOnStack, KeepsTheConventionsAlignment) {
  std::uintptr_t place = 1;
  for (std::size_t less = 0; less < 16; ++less) {
    call_on_stack(
        stack_.data(), stack_.size() - less,
        [](void* of) {
          alignas(16) volatile char aligned[16] = {};
          *static_cast<std::uintptr_t*>(of) = reinterpret_cast<std::uintptr_t>(&aligned);
        },
        &place);
    EXPECT_EQ(place % 16, 0u) << less;
  }
}

TEST_F(CallOnStack, AnExceptionComesThrough) {
  for (int i = 0; i < 3; ++i) {
    EXPECT_THROW(call([] { throw std::runtime_error("no room"); }), std::runtime_error);
    EXPECT_FALSE(is_there(frame()));
  }
  int done = 0;
  call([&] { ++done; });
  EXPECT_EQ(done, 1);
}

TEST_F(CallOnStack, WhatTheCallNeedsIsNotTheCallersStack) {
  std::vector<char> callers(256 * 1024);
  call_on_stack(
      callers.data(), callers.size(),
      [](void* other) {
        auto& stack = *static_cast<std::vector<char>*>(other);
        call_on_stack(
            stack.data(), stack.size(),
            [](void*) {
              volatile char large[16 * 1024];
              for (volatile char& each : large) each = 1;
            },
            nullptr);
      },
      &stack_);
  std::size_t untouched = 0;
  while (callers[untouched] == 0) ++untouched;
  EXPECT_LT(callers.size() - untouched, 4096u);
}

}  // namespace
}  // namespace hocket::host
