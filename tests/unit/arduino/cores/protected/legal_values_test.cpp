// Structures that cross from a sketch: what their descriptions let through, byte by byte.
#include "arduino/cores/protected/kernel/legal_values.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string_view>

namespace hocket::edge {
namespace {

template <class T>
struct Raw {
  unsigned char bytes[sizeof(T)] = {};
};

template <class T>
const Field* wrong_in(const Raw<T>& raw) {
  return first_illegal<T>(raw.bytes);
}

/// Every value of every byte, alone: what is legal of it are these.
template <class T>
void expect_legal_bytes(size_t at, unsigned highest, const char* name) {
  for (unsigned value = 0; value < 256; ++value) {
    Raw<T> raw;
    raw.bytes[at] = static_cast<unsigned char>(value);
    const Field* const wrong = wrong_in(raw);
    if (value <= highest) {
      EXPECT_EQ(wrong, nullptr) << at << ": " << value;
    } else {
      ASSERT_NE(wrong, nullptr) << at << ": " << value;
      EXPECT_EQ(std::string_view(wrong->name), name);
      EXPECT_EQ(value_of(*wrong, raw.bytes), value);
    }
  }
}

TEST(LegalValues, ABoolIsZeroOrOneAndAModeUpToThree) {
  expect_legal_bytes<sys::SpiTransfer>(offsetof(sys::SpiTransfer, lowest_first), 1, "lowest_first");
  expect_legal_bytes<sys::SpiTransfer>(offsetof(sys::SpiTransfer, mode), 3, "mode");
  expect_legal_bytes<sys::I2cTransfer>(offsetof(sys::I2cTransfer, writes), 1, "writes");
  expect_legal_bytes<LoopDescriptor>(offsetof(LoopDescriptor, kind), 4, "kind");
  expect_legal_bytes<LoopDescriptor>(offsetof(LoopDescriptor, overrun), 2, "overrun");
  expect_legal_bytes<LoopDescriptor>(offsetof(LoopDescriptor, background), 1, "background");
  expect_legal_bytes<LoopDescriptor>(offsetof(LoopDescriptor, suspended), 1, "suspended");
}

TEST(LegalValues, AllElseMayBeAnything) {
  const auto try_all = []<class T>(const T*, size_t but, size_t and_but) {
    for (size_t at = 0; at < sizeof(T); ++at) {
      if (at != but && at != and_but) expect_legal_bytes<T>(at, 255, "");
    }
  };
  try_all(static_cast<sys::SpiTransfer*>(nullptr), offsetof(sys::SpiTransfer, mode),
          offsetof(sys::SpiTransfer, lowest_first));
  try_all(static_cast<sys::I2cTransfer*>(nullptr), offsetof(sys::I2cTransfer, writes),
          sizeof(sys::I2cTransfer));
  try_all(static_cast<sys::PinInterrupt*>(nullptr), sizeof(sys::PinInterrupt), SIZE_MAX);
  try_all(static_cast<sys::EdfContract*>(nullptr), sizeof(sys::EdfContract), SIZE_MAX);
}

TEST(LegalValues, TheFirstWrongFieldIsNamed) {
  Raw<sys::SpiTransfer> raw;
  std::memset(raw.bytes, 0xff, sizeof raw.bytes);
  const Field* const wrong = wrong_in(raw);
  ASSERT_NE(wrong, nullptr);
  EXPECT_EQ(std::string_view(wrong->name), "mode");
}

static_assert(described<sys::PinInterrupt>() && described<sys::PinCall>());
static_assert(described<sys::I2cTransfer>() && described<sys::SpiTransfer>());
static_assert(described<sys::FifoState>() && described<sys::EdfContract>());

}  // namespace
}  // namespace hocket::edge
