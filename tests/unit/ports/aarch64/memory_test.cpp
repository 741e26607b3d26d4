// The kernel's memcpy and its sisters against the host's, for all alignments and with guards
// around.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

extern "C" {
void* hocket_memcpy(void* to, const void* from, size_t size);
void* hocket_memmove(void* to, const void* from, size_t size);
void* hocket_memset(void* to, int value, size_t size);
int hocket_memcmp(const void* a, const void* b, size_t size);
size_t hocket_strlen(const char* text);
int hocket_strcmp(const char* a, const char* b);
}

namespace {

using Bytes = std::vector<unsigned char>;
constexpr size_t kArea = 256;

Bytes any_area() {
  return *rc::gen::container<Bytes>(kArea, rc::gen::arbitrary<unsigned char>());
}
/// Begin and size of a piece of the area; often short, often aligned.
std::pair<size_t, size_t> any_piece() {
  const size_t begin = *rc::gen::inRange<size_t>(0, kArea);
  const size_t size = *rc::gen::inRange<size_t>(0, kArea - begin + 1);
  return {begin, size};
}
int sign(int value) {
  return value < 0 ? -1 : (value > 0 ? 1 : 0);
}

RC_GTEST_PROP(Memory, CopyIsTheHosts, ()) {
  const Bytes from = any_area();
  Bytes ours = any_area();
  Bytes hosts = ours;
  const auto [begin, size] = any_piece();
  const size_t source = *rc::gen::inRange<size_t>(0, kArea - size + 1);
  RC_ASSERT(
      (hocket_memcpy(ours.data() + begin, from.data() + source, size) == ours.data() + begin));
  std::memcpy(hosts.data() + begin, from.data() + source, size);
  RC_ASSERT(ours == hosts);
}

RC_GTEST_PROP(Memory, MoveIsTheHosts, ()) {
  Bytes ours = any_area();
  Bytes hosts = ours;
  const auto [begin, size] = any_piece();
  const size_t source = *rc::gen::inRange<size_t>(0, kArea - size + 1);
  RC_ASSERT(
      (hocket_memmove(ours.data() + begin, ours.data() + source, size) == ours.data() + begin));
  std::memmove(hosts.data() + begin, hosts.data() + source, size);
  RC_ASSERT(ours == hosts);
}

RC_GTEST_PROP(Memory, SetIsTheHosts, (int value)) {
  Bytes ours = any_area();
  Bytes hosts = ours;
  const auto [begin, size] = any_piece();
  RC_ASSERT((hocket_memset(ours.data() + begin, value, size) == ours.data() + begin));
  std::memset(hosts.data() + begin, value, size);
  RC_ASSERT(ours == hosts);
}

RC_GTEST_PROP(Memory, ComparisonIsTheHosts, ()) {
  const Bytes one = any_area();
  const auto [begin, size] = any_piece();
  const size_t other_begin = *rc::gen::inRange<size_t>(0, kArea - size + 1);
  Bytes other(kArea);
  std::copy_n(one.begin() + begin, size, other.begin() + other_begin);
  if (size > 0 && *rc::gen::arbitrary<bool>()) {
    other[other_begin + *rc::gen::inRange<size_t>(0, size)] ^= *rc::gen::inRange(1, 256);
  }
  const int ours = hocket_memcmp(one.data() + begin, other.data() + other_begin, size);
  RC_ASSERT(sign(ours) == sign(std::memcmp(one.data() + begin, other.data() + other_begin, size)));
}

RC_GTEST_PROP(Memory, TextsAreTheHosts, (std::string a, std::string b)) {
  a = a.c_str();  // up to the first zero
  b = b.c_str();
  RC_ASSERT(hocket_strlen(a.c_str()) == a.size());
  RC_ASSERT(sign(hocket_strcmp(a.c_str(), b.c_str())) == sign(std::strcmp(a.c_str(), b.c_str())));
  const std::string longer = a + b;
  RC_ASSERT(sign(hocket_strcmp(a.c_str(), longer.c_str())) == (b.empty() ? 0 : -1));
  RC_ASSERT(hocket_strcmp(a.c_str(), std::string(a).c_str()) == 0);
}

TEST(Memory, BytesAreUnsigned) {
  EXPECT_LT(hocket_memcmp("a\x7f", "a\x80", 2), 0);
  EXPECT_LT(hocket_strcmp("a\x7f", "a\x80"), 0);
  EXPECT_GT(hocket_strcmp("\xff", ""), 0);
}

}  // namespace
