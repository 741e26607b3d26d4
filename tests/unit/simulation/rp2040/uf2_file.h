// A good UF2 file for the tests: a boot loader with its checksum, vectors, and `b .`.
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

#include "simulation/rp2040/image/image.h"
#include "simulation/rp2040/memory_map.h"

namespace hocket::rp2040::test {

/// Three blocks for consecutive addresses.
inline std::vector<uint8_t> uf2_file(uint32_t base = kFlashBase) {
  constexpr size_t kBlocks = 3, kPayload = 256, kBlock = 512;
  std::vector<uint8_t> content(kBlocks * kPayload, 0xff);
  const auto put = [&](size_t at, uint32_t word) { std::memcpy(&content[at], &word, 4); };
  put(252, boot2_checksum(content.data(), 252));
  put(256, kRamBase + kRamSize);
  put(260, (base + 0x140) | 1);
  put(0x140, 0xe7fe'e7fe);
  std::vector<uint8_t> file(kBlocks * kBlock, 0);
  for (size_t i = 0; i < kBlocks; ++i) {
    uint8_t* const block = &file[i * kBlock];
    const uint32_t head[] = {0x0a32'4655, 0x9e5d'5157,
                             0x2000,      static_cast<uint32_t>(base + i * kPayload),
                             kPayload,    static_cast<uint32_t>(i),
                             kBlocks,     0xe48b'ff56};
    constexpr uint32_t kEnd = 0x0ab1'6f30;
    std::memcpy(block, head, sizeof head);
    std::memcpy(block + sizeof head, &content[i * kPayload], kPayload);
    std::memcpy(block + kBlock - 4, &kEnd, 4);
  }
  return file;
}

}  // namespace hocket::rp2040::test
