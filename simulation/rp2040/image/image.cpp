#include "simulation/rp2040/image/image.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "simulation/rp2040/chip.h"

namespace hocket::rp2040 {
namespace {

constexpr uint32_t kBoot2Size = 256, kBoot2Code = 252;

bool in_flash(const Image::Part& part) {
  return part.address >= kFlashBase && part.address - kFlashBase < kFlashSize;
}

void check_place(const Image::Part& part) {
  const bool flash = in_flash(part);
  const bool ram = part.address >= kRamBase && part.address - kRamBase < kRamSize;
  if (!flash && !ram) {
    throw BadImage("it has bytes for " + hex(part.address) +
                   ", where the chip has neither flash nor RAM");
  }
  const uint32_t left =
      flash ? kFlashSize - (part.address - kFlashBase) : kRamSize - (part.address - kRamBase);
  if (part.bytes.size() > left) {
    throw BadImage("it does not fit: it ends " + std::to_string(part.bytes.size() - left) +
                   " bytes behind the end of " + (flash ? "2 MB of flash" : "264 kB of RAM"));
  }
}

void check_boot2(const std::vector<Image::Part>& parts) {
  std::array<uint8_t, kBoot2Size> boot2;
  boot2.fill(0xff);
  for (const Image::Part& part : parts) {
    if (!in_flash(part)) continue;
    for (size_t i = 0; i < part.bytes.size(); ++i) {
      const size_t at = part.address - kFlashBase + i;
      if (at >= boot2.size()) break;
      boot2[at] = part.bytes[i];
    }
  }
  uint32_t stored;
  std::memcpy(&stored, boot2.data() + kBoot2Code, sizeof stored);
  const uint32_t computed = boot2_checksum(boot2.data(), kBoot2Code);
  if (stored == computed) return;
  throw BadImage("the checksum of the boot loader in its first 256 bytes is " + hex(stored) +
                 " and should be " + hex(computed) + ": the chip would not start it");
}

}  // namespace

uint32_t boot2_checksum(const uint8_t* bytes, size_t size) {
  constexpr uint32_t kPolynomial = 0x04c1'1db7;
  uint32_t sum = UINT32_MAX;
  for (size_t i = 0; i < size; ++i) {
    sum ^= uint32_t{bytes[i]} << 24;
    for (unsigned bit = 0; bit < 8; ++bit) {
      sum = sum << 1 ^ ((sum >> 31) != 0 ? kPolynomial : 0);
    }
  }
  return sum;
}

void check_image(Image& image) {
  if (image.parts.empty()) throw BadImage("there is nothing in it");
  std::sort(image.parts.begin(), image.parts.end(),
            [](const Image::Part& a, const Image::Part& b) { return a.address < b.address; });
  for (const Image::Part& part : image.parts) check_place(part);
  for (size_t i = 1; i < image.parts.size(); ++i) {
    const Image::Part& before = image.parts[i - 1];
    if (image.parts[i].address - before.address < before.bytes.size()) {
      throw BadImage("two parts of it have bytes for " + hex(image.parts[i].address));
    }
  }
  if (!image.ram_entry) check_boot2(image.parts);
}

Image read_image(const std::vector<uint8_t>& file) {
  static constexpr uint8_t kElf[] = {0x7f, 'E', 'L', 'F'}, kUf2[] = {'U', 'F', '2', '\n'};
  const auto begins = [&](const uint8_t(&with)[4]) {
    return file.size() >= 4 && std::equal(std::begin(with), std::end(with), file.begin());
  };
  if (begins(kElf)) return read_elf(file);
  if (begins(kUf2)) return read_uf2(file);
  throw BadImage("it is neither an ELF nor a UF2 file");
}

Image read_image_file(const std::string& name) {
  std::ifstream in(name, std::ios::binary);
  if (!in || !std::filesystem::is_regular_file(name)) throw BadImage("it cannot be read");
  return read_image({std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()});
}

void start(const Image& image, Chip& chip) {
  for (const Image::Part& part : image.parts) {
    const auto size = static_cast<uint32_t>(part.bytes.size());
    std::memcpy(chip.memory().bytes(part.address, size), part.bytes.data(), size);
  }
  if (image.ram_entry) {
    // Where the boot ROM's own stack is when it jumps into RAM is not documented.
    chip.core(0).start(kRomBase, kRamBase + kRamSize, *image.ram_entry | 1, chip.cycle());
  } else {
    chip.start_from_flash();
  }
}

}  // namespace hocket::rp2040
