// The checks of a sketch's image: each rule by itself, and spoilt images against a second opinion.
#include "arduino/cores/protected/kernel/check.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>

#include "sketch_image.h"

namespace hocket::sketch {
namespace {

using test::good_image;
using test::Image;

/// What is said about an image; empty when it is accepted.
std::string answer(const Image& image) {
  const char* const wrong = check(image.bytes(), image.size());
  return wrong == nullptr ? "" : wrong;
}

/// What is said about the good image after one change.
template <class Change>
std::string after(Change change) {
  Image image = good_image();
  change(image);
  EXPECT_EQ(answer(image).empty(), test::acceptable(image));
  return answer(image);
}

::testing::AssertionResult says(const std::string& text, const std::string& words) {
  const bool found = text.find(words) != std::string::npos;
  const bool whole = text.ends_with("; build it again with this Hocket's own tools");
  return (found && whole ? ::testing::AssertionSuccess() : ::testing::AssertionFailure()) << text;
}

TEST(Check, AcceptsAGoodSketch) {
  EXPECT_EQ(answer(good_image()), "");
}

TEST(Check, NamesWhatIsWrongWithTheHeader) {
#define SPOILT(change)      \
  after([](Image& i) {      \
    Header& h = i.header(); \
    (void)h;                \
    change;                 \
  })
  EXPECT_TRUE(says(SPOILT(i.shorten(100)), "shorter than a header"));
  EXPECT_TRUE(says(SPOILT(h.magic ^= 1), "does not begin as a sketch"));
  EXPECT_TRUE(says(SPOILT(h.abi = 7), "version 7 of the system calls, this kernel version 6"));
  EXPECT_TRUE(says(SPOILT(h.text_end = kBase), "its text"));
  EXPECT_TRUE(says(SPOILT(h.rodata_begin += kPage), "its constants do not begin"));
  EXPECT_TRUE(says(SPOILT(h.rodata_end = h.rodata_begin - 1), "its constants end"));
  EXPECT_TRUE(says(SPOILT(h.data_begin += 1), "its data does not begin"));
  EXPECT_TRUE(says(SPOILT(h.data_end = UINT64_MAX), "its data ends"));
  EXPECT_TRUE(says(SPOILT(h.bss_end = kEnd + 1), "its zeroed variables"));
  EXPECT_TRUE(says(SPOILT(h.heap_begin = UINT64_MAX - 4095), "its heap does not begin"));
  EXPECT_TRUE(says(SPOILT(h.heap_end = kEnd + 1), "its heap ends"));
  EXPECT_TRUE(says(SPOILT(i.shorten(i.size() - 1)), "its image is shorter than its header"));
  EXPECT_TRUE(says(SPOILT(h.loops_begin -= 8), "its table of loops"));
  EXPECT_TRUE(says(SPOILT(h.loops_end += 4), "its table of loops"));
  EXPECT_TRUE(says(SPOILT(h.enter_setup = kBase), "entry point"));
  EXPECT_TRUE(says(SPOILT(h.enter_loop += 2), "entry point"));
  EXPECT_TRUE(says(SPOILT(h.plain_loop = 4), "its loop()"));
  EXPECT_TRUE(says(SPOILT(h.tls_size = 8), "thread-local"));
  EXPECT_TRUE(says(SPOILT(h.tls_size = 65552), "thread-local"));
  EXPECT_TRUE(says(SPOILT(h.flags = 16), "flags"));
  EXPECT_TRUE(says(SPOILT(i.write(kBase + offsetof(Header, fault_policy), 4, 3)),
                   "policy for faults is unknown"));
  EXPECT_TRUE(says(SPOILT(h.longest_section = 1), "length of its sections"));
}

TEST(Check, NamesWhatIsWrongWithALoop) {
  constexpr uint64_t kSecond = test::kDescriptors + test::kDescriptorSize;
#define WITH(offset, width, value) SPOILT(i.write(kSecond + test::offset, width, value))
  EXPECT_TRUE(says(SPOILT(i.write(test::kConstants, 8, test::kText)), "loop 0 of its table"));
  EXPECT_TRUE(says(WITH(kBody, 8, test::kConstants), "the body of loop 2"));
  EXPECT_TRUE(says(WITH(kFile, 8, test::kData), "the file name of loop 2"));
  EXPECT_TRUE(says(WITH(kBudget, 8, 0), "loop 2 has no budget"));
  EXPECT_TRUE(says(WITH(kBudget, 8, 50'000'001), "loop 2 has no budget"));
  EXPECT_TRUE(says(WITH(kDeadline, 8, UINT64_MAX), "loop 2 has no budget"));
  EXPECT_TRUE(says(WITH(kPeriod, 8, UINT64_MAX), "the period_ns of loop 2 is 1844"));
  EXPECT_TRUE(says(WITH(kStackBytes, 4, UINT32_MAX), "the stack_bytes of loop 2 is 4294967295"));
  EXPECT_TRUE(says(WITH(kSlice, 4, 1'000'001), "the slice_us of loop 2 is 1000001"));
  EXPECT_TRUE(says(WITH(kId, 1, 0), "loop 1 of its table has the number 0"));
  EXPECT_TRUE(says(WITH(kCore, 1, 64), "loop 2 is pinned"));
  EXPECT_TRUE(says(WITH(kKind, 1, 5), "the kind of loop 2 is 5, and can be 0 to 4"));
  EXPECT_TRUE(
      says(WITH(kIsBackground, 1, 255), "the background of loop 2 is 255, and can be 0 or 1"));
  EXPECT_EQ(WITH(kStackBytes, 4, LoopDescriptor::kLargestStack), "");
  EXPECT_EQ(WITH(kCore, 1, 63), "");
  // A handler's loop, or a bottom half's, may have no number.
  EXPECT_EQ(WITH(kKind, 1, 2), "");
  EXPECT_EQ(WITH(kKind, 1, 3), "");
  EXPECT_EQ(WITH(kKind, 1, 4), "");
  // An I/O virtual CPU may be without budget for a while.
  EXPECT_EQ(SPOILT(i.write(kSecond + test::kKind, 1, 3); i.write(kSecond + test::kBudget, 8, 0)),
            "");
  EXPECT_EQ(SPOILT(i.write(kSecond + test::kKind, 1, 2); i.write(kSecond + test::kId, 1, 0)), "");
  EXPECT_EQ(SPOILT(i.write(kSecond + test::kKind, 1, 3); i.write(kSecond + test::kId, 1, 0)), "");
}

TEST(Check, WhatIsDoneUponAnOverrunExists) {
  constexpr uint64_t kFirst = test::kDescriptors;
  EXPECT_EQ(SPOILT(i.write(kFirst + test::kOverrun, 1, 2)), "");
  EXPECT_TRUE(says(SPOILT(i.write(kFirst + test::kOverrun, 1, 3)),
                   "the overrun of loop 1 is 3, and can be 0 to 2"));
}

TEST(Check, ATextEndsAmongTheConstants) {
  Image image = good_image();
  image.bytes()[image.header().rodata_end - 1 - kBase] = 'x';
  EXPECT_TRUE(says(answer(image), "the file name of loop 3"));
  EXPECT_FALSE(test::acceptable(image));
}

TEST(Check, NoMoreLoopsThanNumbers) {
  Image image = good_image();
  image.header().rodata_end = kBase + 2 * kPage;
  for (uint64_t i = 0; i < 256; ++i)
    image.write(kBase + kPage + 1024 + 8 * i, 8, test::kDescriptors);
  image.header().loops_begin = kBase + kPage + 1024;
  image.header().loops_end = image.header().loops_begin + 8 * 255;
  EXPECT_EQ(answer(image), "");
  image.header().loops_end += 8;
  EXPECT_TRUE(says(answer(image), "more than 255 loops"));
}

TEST(Check, AnImageMayBeFilledUpToItsPage) {
  const Image good = good_image();
  for (const uint64_t size : {3 * kPage, 3 * kPage + 1}) {
    Image filled(size);
    std::memcpy(filled.bytes(), good.bytes(), good.size());
    EXPECT_EQ(answer(filled).empty(), size == 3 * kPage);
    EXPECT_EQ(test::acceptable(filled), size == 3 * kPage);
  }
}

TEST(Check, ASketchWithoutDataOrConstants) {
  Image image = good_image();
  Header& h = image.header();
  h.loops_begin = h.loops_end = h.rodata_end = h.rodata_begin;
  h.data_begin = h.data_end = h.bss_end = h.heap_begin = h.heap_end = h.rodata_end;
  image.shorten(h.text_end - kBase);
  EXPECT_EQ(answer(image), "");
  EXPECT_TRUE(test::acceptable(image));
}

RC_GTEST_PROP(Check, IsTheSecondOpinion, ()) {
  Image image = good_image();
  const auto changes = *rc::gen::inRange<size_t>(1, 4);
  test::spoil(image, *rc::gen::container<std::vector<uint8_t>>(11 * changes,
                                                               rc::gen::arbitrary<uint8_t>()));
  const bool accepted = answer(image).empty();
  RC_CLASSIFY(accepted);
  RC_ASSERT(accepted == test::acceptable(image));
}

}  // namespace
}  // namespace hocket::sketch
