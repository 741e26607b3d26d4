// UF2 files: blocks of 512 bytes, each with 256 bytes for an address (Microsoft's UF2
// specification; RP2040 datasheet, 2.8.4.2).
#include <algorithm>
#include <cstring>

#include "simulation/rp2040/device.h"
#include "simulation/rp2040/image/image.h"
#include "simulation/rp2040/memory_map.h"

namespace hocket::rp2040 {
namespace {

constexpr size_t kBlock = 512, kData = 32;
constexpr uint32_t kPayload = 256;
constexpr uint32_t kMagic0 = 0x0a32'4655, kMagic1 = 0x9e5d'5157, kMagicEnd = 0x0ab1'6f30;
constexpr uint32_t kNotForFlash = 1, kHasFamily = 0x2000;
constexpr uint32_t kFamilyRp2040 = 0xe48b'ff56;

/// The words of a block before and behind its data.
struct Header {
  uint32_t magic0, magic1, flags, address, size, number, count, family;
};

[[noreturn]] void refuse(size_t block, const std::string& why) {
  throw BadImage("block " + std::to_string(block) + " of it " + why);
}

void check(const Header& header, uint32_t end, size_t index, size_t count) {
  if (header.magic0 != kMagic0 || header.magic1 != kMagic1 || end != kMagicEnd) {
    refuse(index, "is damaged: it does not have the marks of UF2");
  }
  if ((header.flags & kHasFamily) == 0 || header.family != kFamilyRp2040) {
    refuse(index, "is for another chip: family " +
                      hex((header.flags & kHasFamily) != 0 ? header.family : 0) +
                      ", and the RP2040's is " + hex(kFamilyRp2040));
  }
  if (header.number != index || header.count != count) {
    refuse(index, "says that it is block " + std::to_string(header.number) + " of " +
                      std::to_string(header.count) + ": the file has " + std::to_string(count));
  }
  if (header.size != kPayload || header.address % kPayload != 0) {
    refuse(index, "has " + std::to_string(header.size) + " bytes for " + hex(header.address) +
                      ": the chip takes 256, for a multiple of 256");
  }
}

}  // namespace

Image read_uf2(const std::vector<uint8_t>& file) {
  if (file.size() % kBlock != 0) {
    throw BadImage("it is cut short: its size is no multiple of 512 bytes");
  }
  const size_t count = file.size() / kBlock;
  if (count > (kFlashSize + kRamSize) / kPayload) throw BadImage("it has more blocks than fit");
  Image image;
  bool flash = false, ram = false;
  for (size_t i = 0; i < count; ++i) {
    const uint8_t* const block = file.data() + i * kBlock;
    Header header;
    uint32_t end;
    std::memcpy(&header, block, sizeof header);
    std::memcpy(&end, block + kBlock - sizeof end, sizeof end);
    check(header, end, i, count);
    if ((header.flags & kNotForFlash) != 0) continue;
    image.parts.push_back({header.address, {block + kData, block + kData + kPayload}});
    (header.address >= kRamBase ? ram : flash) = true;
  }
  if (flash && ram)
    throw BadImage("it has blocks for flash and for RAM: the chip takes one of them");
  if (ram) {  // the boot ROM jumps to the lowest address
    uint32_t lowest = UINT32_MAX;
    for (const Image::Part& part : image.parts) lowest = std::min(lowest, part.address);
    image.ram_entry = lowest;
  }
  check_image(image);
  return image;
}

}  // namespace hocket::rp2040
