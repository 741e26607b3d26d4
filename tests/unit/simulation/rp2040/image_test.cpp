// Programs as files: what is refused, and in which words.
#include "simulation/rp2040/image/image.h"

#include <gtest/gtest.h>

#include <cstring>

#include "simulation/rp2040/chip.h"
#include "tests/unit/simulation/rp2040/uf2_file.h"

namespace hocket::rp2040::test {
namespace {

std::string refusal(const std::vector<uint8_t>& file) {
  try {
    read_image(file);
  } catch (const BadImage& error) {
    return error.what();
  }
  return "";
}

TEST(Uf2, AGoodFileStartsBehindItsBootLoader) {
  const Image image = read_image(uf2_file());
  EXPECT_FALSE(image.ram_entry);
  EXPECT_EQ(image.parts.size(), 3u);
  Chip chip;
  start(image, chip);
  EXPECT_EQ(chip.core(0).pc(), kFlashBase + 0x140);
  chip.run(100);
  EXPECT_FALSE(chip.stopped());
}

TEST(Uf2, ForRamItStartsAtTheLowestAddress) {
  const Image image = read_image(uf2_file(kRamBase));
  EXPECT_EQ(image.ram_entry, kRamBase);
}

TEST(Uf2, WhatIsWrongIsSaid) {
  const auto with = [](size_t at, uint32_t word) {
    std::vector<uint8_t> file = uf2_file();
    std::memcpy(file.data() + at, &word, 4);
    return refusal(file);
  };
  EXPECT_NE(with(512 + 28, 0xada52840).find("block 1 of it is for another chip"),
            std::string::npos);
  EXPECT_NE(with(512 + 8, 0).find("another chip"), std::string::npos);
  EXPECT_NE(with(512 + 20, 2).find("says that it is block 2 of 3"), std::string::npos);
  EXPECT_NE(with(24, 4).find("block 0 of 4"), std::string::npos);
  EXPECT_NE(with(508, 0).find("damaged"), std::string::npos);
  EXPECT_NE(with(512 + 4, 0).find("damaged"), std::string::npos);
  EXPECT_NE(with(16, 476).find("476 bytes"), std::string::npos);
  EXPECT_NE(with(512 + 12, 0x1000'0010).find("multiple of 256"), std::string::npos);
  EXPECT_NE(with(512 + 12, 0x1020'0000).find("neither flash nor RAM"), std::string::npos);
  EXPECT_NE(with(512 + 12, kRamBase).find("for flash and for RAM"), std::string::npos);
  EXPECT_NE(with(512 + 12, kFlashBase).find("two parts of it have bytes"), std::string::npos);
  EXPECT_NE(with(32, 0x1234).find("checksum of the boot loader"), std::string::npos);
}

TEST(Uf2, CutShort) {
  std::vector<uint8_t> file = uf2_file();
  file.pop_back();
  EXPECT_NE(refusal(file).find("cut short"), std::string::npos);
  file.resize(1024);
  EXPECT_NE(refusal(file).find("block 0 of 3"), std::string::npos);
}

TEST(Boot2, ChecksumIsThatOfTheBootRom) {
  // The check value of CRC-32/MPEG-2: that polynomial, not reflected, begun with ones.
  EXPECT_EQ(boot2_checksum(reinterpret_cast<const uint8_t*>("123456789"), 9), 0x0376'e6e7u);
}

TEST(Image, OtherFiles) {
  EXPECT_EQ(refusal({}), "it is neither an ELF nor a UF2 file");
  EXPECT_EQ(refusal({0x7f, 'E', 'L', 'F'}), "it is cut short");
}

}  // namespace
}  // namespace hocket::rp2040::test
