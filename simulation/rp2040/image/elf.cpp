// ELF files, 32 bits, little-endian (System V ABI, chapters 4 and 5; ELF for the Arm Architecture).
#include <algorithm>
#include <cstring>
#include <iterator>

#include "simulation/rp2040/device.h"
#include "simulation/rp2040/image/image.h"
#include "simulation/rp2040/memory_map.h"

namespace hocket::rp2040 {
namespace {

constexpr uint16_t kExecutable = 2, kMachineArm = 40;
constexpr uint32_t kLoad = 1, kSymbolTable = 2;
constexpr uint64_t kSymbolSize = 16;
// Offsets in the header.
constexpr uint64_t kType = 16, kMachine = 18, kEntry = 24, kSegments = 28, kSections = 32,
                   kSegmentSize = 42, kSegmentCount = 44, kSectionSize = 46, kSectionCount = 48;
// Limits names: a malformed table could refer to a text many times.
constexpr size_t kLongestName = 4096;

/// The file's bytes. Reading outside of them throws.
class Elf {
 public:
  explicit Elf(const std::vector<uint8_t>& all) : all_(all) {}

  uint16_t half(uint64_t offset) const { return read<uint16_t>(offset); }
  uint32_t word(uint64_t offset) const { return read<uint32_t>(offset); }
  std::vector<uint8_t> bytes(uint64_t offset, uint64_t size) const {
    need(offset, size);
    const auto from = all_.begin() + static_cast<std::ptrdiff_t>(offset);
    return {from, from + static_cast<std::ptrdiff_t>(size)};
  }
  std::string text(uint64_t offset) const {
    std::string result;
    for (char c; (c = read<char>(offset)) != '\0'; ++offset) {
      if (result.size() == kLongestName) throw BadImage("a name in it is too long");
      result += c;
    }
    return result;
  }
  size_t size() const { return all_.size(); }

 private:
  template <class T>
  T read(uint64_t offset) const {
    need(offset, sizeof(T));
    T value;
    std::memcpy(&value, all_.data() + offset, sizeof value);
    return value;
  }
  void need(uint64_t offset, uint64_t size) const {
    if (offset > all_.size() || size > all_.size() - offset) throw BadImage("it is cut short");
  }
  const std::vector<uint8_t>& all_;
};

void check_kind(const Elf& elf) {
  static constexpr uint8_t kIdentity[] = {0x7f, 'E', 'L', 'F', 1, 1};
  const std::vector<uint8_t> begin = elf.bytes(0, sizeof kIdentity);
  if (!std::equal(begin.begin(), begin.end(), kIdentity) || elf.half(kType) != kExecutable ||
      elf.half(kMachine) != kMachineArm) {
    throw BadImage("it is no linked program for an Arm processor of 32 bits");
  }
}

/// Its segments that have bytes, at their load addresses.
std::vector<Image::Part> parts_of(const Elf& elf) {
  std::vector<Image::Part> parts;
  for (unsigned i = 0; i < elf.half(kSegmentCount); ++i) {
    const uint64_t header = elf.word(kSegments) + uint64_t{i} * elf.half(kSegmentSize);
    const uint32_t size = elf.word(header + 16);
    if (elf.word(header) != kLoad || size == 0) continue;
    parts.push_back({elf.word(header + 12), elf.bytes(elf.word(header + 4), size)});
    if (parts.back().bytes.size() > kFlashSize) throw BadImage("a part of it is larger than flash");
    if (parts.size() > 256) throw BadImage("it has more than 256 parts");
  }
  return parts;
}

struct Section {
  uint32_t type, offset, size, link;
};

Section section_at(const Elf& elf, uint32_t index) {
  const uint64_t header = elf.word(kSections) + uint64_t{index} * elf.half(kSectionSize);
  return {elf.word(header + 4), elf.word(header + 16), elf.word(header + 20),
          elf.word(header + 24)};
}

void read_symbols(const Elf& elf, std::map<std::string, uint32_t>& symbols) {
  uint64_t table_bytes = 0;
  for (uint32_t i = 0; i < elf.half(kSectionCount); ++i) {
    const Section table = section_at(elf, i);
    if (table.type != kSymbolTable) continue;
    table_bytes += table.size;
    if (table_bytes > elf.size()) throw BadImage("its tables of symbols share bytes");
    const Section names = section_at(elf, table.link);
    for (uint64_t at = table.offset; at + kSymbolSize <= uint64_t{table.offset} + table.size;
         at += kSymbolSize) {
      const bool defined = elf.half(at + 14) != 0;
      const std::string name = elf.text(uint64_t{names.offset} + elf.word(at));
      if (defined && !name.empty()) symbols.emplace(name, elf.word(at + 4));
    }
  }
}

}  // namespace

Image read_elf(const std::vector<uint8_t>& file) {
  const Elf elf(file);
  check_kind(elf);
  Image image;
  image.parts = parts_of(elf);
  const bool flash = std::any_of(image.parts.begin(), image.parts.end(), [](const auto& part) {
    return part.address >= kFlashBase && part.address - kFlashBase < kFlashSize;
  });
  if (!flash) image.ram_entry = elf.word(kEntry);
  read_symbols(elf, image.symbols);
  check_image(image);
  return image;
}

}  // namespace hocket::rp2040
