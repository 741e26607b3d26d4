// Fuzz target: a program for the RP2040, UF2 or ELF, spoilt anyhow, is read or refused in words,
// and nothing outside of the file is touched; what is read of it is within the chip's memory.
//
// With libFuzzer: `rp2040_image_fuzz FOLDER`, the input being which file and changes to it
// (spoil()). Without (HOCKET_CORPUS_RUN): a fixed number of random changes, the same every time.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "simulation/rp2040/chip.h"
#include "simulation/rp2040/image/image.h"
#include "tests/unit/simulation/rp2040/uf2_file.h"

namespace {

using Bytes = std::vector<uint8_t>;
using hocket::rp2040::BadImage;
using hocket::rp2040::Image;

[[noreturn]] void broken(const char* property) {
  std::fprintf(stderr, "rp2040 image: %s\n", property);
  std::abort();
}

void put_words(Bytes& to, std::initializer_list<uint32_t> words) {
  for (const uint32_t word : words) {
    const auto* bytes = reinterpret_cast<const uint8_t*>(&word);
    to.insert(to.end(), bytes, bytes + sizeof word);
  }
}

/// ELF, 32 bits (System V ABI, chapters 4 and 5): header, one segment of RAM, symbols.
Bytes elf_file() {
  constexpr uint32_t kHeader = 52, kSegment = 32, kSection = 40, kCode = 8, kSymbols = 32;
  constexpr uint32_t kAtCode = kHeader + kSegment, kAtNames = kAtCode + kCode,
                     kAtSymbols = kAtNames + 8, kAtSections = kAtSymbols + kSymbols;
  Bytes file{0x7f, 'E', 'L', 'F', 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  put_words(file, {2 | 40 << 16, 1, hocket::rp2040::kRamBase, kHeader, kAtSections, 0,
                   kHeader | kSegment << 16, 1 | kSection << 16, 3 | 2 << 16});
  put_words(file, {1, kAtCode, 0x2000'0000, 0x2000'0000, kCode, kCode, 5, 4});
  put_words(file, {0xe7fe'e7fe, 0});
  file.insert(file.end(), {0, 'r', 'e', 's', 'e', 't', 0, 0});
  put_words(file, {0, 0, 0, 0, 1, 0x2000'0001, 4, 1 << 16 | 0x12});
  file.resize(file.size() + kSection, 0);
  put_words(file, {1, 2, 0, 0, kAtSymbols, kSymbols, 2, 0, 4, 16});
  put_words(file, {1, 3, 0, 0, kAtNames, 8, 0, 0, 1, 0});
  return file;
}

/// Each change is four bytes: where (two of them), and what is there then; 255 in the third cuts
/// the file off there.
Bytes spoil(Bytes file, const Bytes& changes) {
  for (size_t i = 0; i + 4 <= changes.size() && !file.empty(); i += 4) {
    const size_t where = (changes[i] | changes[i + 1] << 8) % file.size();
    if (changes[i + 2] == 255) {
      file.resize(where);
    } else {
      file[where] = changes[i + 3];
    }
  }
  return file;
}

/// Whether the file is taken.
bool taken(const Bytes& file) {
  try {
    const Image image = hocket::rp2040::read_image(file);
    static hocket::rp2040::Chip chip;
    for (const Image::Part& part : image.parts) {
      const auto size = static_cast<uint32_t>(part.bytes.size());
      if (chip.memory().bytes(part.address, size) == nullptr) broken("a part outside of memory");
    }
    return true;
  } catch (const BadImage& problem) {
    if (std::strlen(problem.what()) == 0) broken("refused without a word");
    return false;
  }
}

bool taken_if_spoilt(bool elf, const Bytes& changes) {
  // A copy has memory for what is left and no more.
  const Bytes spoilt = spoil(elf ? elf_file() : hocket::rp2040::test::uf2_file(), changes);
  return taken(Bytes(spoilt.begin(), spoilt.end()));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size != 0) taken_if_spoilt((data[0] & 1) != 0, Bytes(data + 1, data + size));
  return 0;
}

#ifdef HOCKET_CORPUS_RUN
#include "simulation/devices/random.h"

int main() {
  const int files = std::getenv("HOCKET_LONG") != nullptr ? 400'000 : 10'000;
  for (const bool elf : {false, true}) {
    if (!taken_if_spoilt(elf, {})) broken("a good file is refused");
    hocket::sim::Random random(1, "rp2040 image");
    int read = 0;
    for (int i = 0; i < files; ++i) {
      Bytes changes(4 * static_cast<size_t>(random.between(1, 3)));
      for (uint8_t& byte : changes) byte = static_cast<uint8_t>(random.between(0, 255));
      read += taken_if_spoilt(elf, changes) ? 1 : 0;
    }
    std::printf("%d of %d spoilt %s files are read\n", read, files, elf ? "ELF" : "UF2");
    if (read == 0 || read == files) return 1;
  }
  return 0;
}
#endif
