// The reason of a fault, put together in a sketch without printf().
#include "arduino/cores/protected/sketch/text.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cstdio>
#include <string>

namespace hocket::sketch {
namespace {

std::string filled(const char* form, ...) {
  Text text;
  va_list values;
  va_start(values, form);
  text.fill(form, values);
  va_end(values);
  return text.get();
}

TEST(SketchText, NumbersAreDecimal) {
  EXPECT_TRUE(rc::check("as std::to_string writes them", [](uint64_t number) {
    Text text;
    text << number;
    RC_ASSERT(text.get() == std::to_string(number));
  }));
  Text edges;
  edges << uint64_t{0} << " " << UINT64_MAX;
  EXPECT_STREQ(edges.get(), "0 18446744073709551615");
}

TEST(SketchText, FormsAreFilledAsPrintfDoes) {
  EXPECT_TRUE(rc::check("%s and %zu", [](size_t first, size_t second) {
    const char* form = "%s: __pos (which is %zu) > size (which is %zu), 100%%";
    char expected[200];
    std::snprintf(expected, sizeof expected, form, "at", first, second);
    RC_ASSERT(filled(form, "at", first, second) == expected);
  }));
  EXPECT_EQ(filled("a%"), "a%");
  EXPECT_EQ(filled("%d"), "%d");
}

TEST(SketchText, WhatDoesNotFitIsLeftOut) {
  const std::string longer(300, 'x');
  EXPECT_EQ(filled("%s", longer.c_str()), longer.substr(0, 119));
  Text text;
  for (int i = 0; i < 100; ++i) text << "abc" << uint64_t{12};
  EXPECT_EQ(std::string(text.get()).size(), 119u);
}

}  // namespace
}  // namespace hocket::sketch
