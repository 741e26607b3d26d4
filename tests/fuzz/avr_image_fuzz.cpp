// Fuzz target: a linked program for the Uno, spoilt anyhow, is read or refused in words, and
// nothing outside of the file is touched; what is read of it is within the processor's memory.
//
// With libFuzzer: `avr_image_fuzz FOLDER`, the input being changes to a good file (spoil()).
// Without (HOCKET_CORPUS_RUN): a fixed number of random changes, the same every time.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "arduino/cores/avr8/image/declared.h"
#include "simulation/avr/admitted_facts.h"

namespace {

using Bytes = std::vector<uint8_t>;

[[noreturn]] void broken(const char* property, const std::string& detail) {
  std::fprintf(stderr, "avr image: %s: %s\n", property, detail.c_str());
  std::abort();
}

template <class Number>
void put(Bytes& to, Number value) {
  const auto* bytes = reinterpret_cast<const uint8_t*>(&value);
  to.insert(to.end(), bytes, bytes + sizeof value);
}
void put(Bytes& to, const Bytes& bytes) {
  to.insert(to.end(), bytes.begin(), bytes.end());
}
void put_words(Bytes& to, std::initializer_list<uint32_t> words) {
  for (const uint32_t word : words) put(to, word);
}

/// ELF, 32 bits (System V ABI, chapters 4 and 5): header, one segment of flash, and the sections
/// that the reader looks at, one behind the other.
Bytes good_file() {
  constexpr uint32_t kHeader = 52, kSegment = 32, kSection = 40;
  const Bytes flash{0x0c, 0x94, 0x34, 0x00, 0xff, 0xcf};
  const Bytes declared{26, 0, 0, 0, 0, 3, 0x10, 3,    3, 5,    40,   50,   4,
                       0,  1, 2, 3, 4, 1, 90,   0xc0, 0, 0x80, 0x84, 0x1e, 0};
  const std::string names("\0.hocket_declared\0.symtab\0loop\0setup\0hocket_activation_ticks\0",
                          61);
  const hocket::uno::ImageKind kind{
      .by_deadline = false, .loops = 0, .devices = false, .handlers = false, .spinlocks = false};
  const auto activation =
      hocket::activation_cost(hocket::uno::costs_of(kind), /*several_cores=*/false);
  Bytes symbols(16, 0);
  put_words(symbols, {26, 0x80, 4});
  put(symbols, uint32_t{0x0001'0012});
  put_words(symbols, {31, 0x800110, 2});
  put(symbols, uint32_t{0x0001'0011});
  put_words(symbols, {37, static_cast<uint32_t>(activation), 0});  // what the linker works out
  put(symbols, uint32_t{0x0001'0010});

  const uint32_t at_flash = kHeader + kSegment;
  const auto at_declared = at_flash + static_cast<uint32_t>(flash.size());
  const auto at_names = at_declared + static_cast<uint32_t>(declared.size());
  const auto at_symbols = at_names + static_cast<uint32_t>(names.size());
  const auto at_sections = at_symbols + static_cast<uint32_t>(symbols.size());

  Bytes file{0x7f, 'E', 'L', 'F', 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  put(file, uint16_t{2});
  put(file, uint16_t{83});
  put_words(file, {1, 0, kHeader, at_sections, hocket::avr::kAtmega328p.architecture});
  for (const uint16_t half : {kHeader, kSegment, 1u, kSection, 4u, 3u}) {
    put(file, static_cast<uint16_t>(half));
  }
  put_words(file, {1, at_flash, 0, 0, static_cast<uint32_t>(flash.size()),
                   static_cast<uint32_t>(flash.size()), 5, 1});
  put(file, flash);
  put(file, declared);
  file.insert(file.end(), names.begin(), names.end());
  put(file, symbols);
  file.resize(file.size() + kSection, 0);  // the first one is empty
  put_words(file,
            {1, 1, 0, 0x860000, at_declared, static_cast<uint32_t>(declared.size()), 0, 0, 1, 0});
  put_words(file, {18, 2, 0, 0, at_symbols, static_cast<uint32_t>(symbols.size()), 3, 0, 4, 16});
  put_words(file, {18, 3, 0, 0, at_names, static_cast<uint32_t>(names.size()), 0, 0, 1, 0});
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

/// Whether the spoilt file is taken.
bool taken(const Bytes& changes) {
  // A copy has memory for what is left and no more.
  const Bytes spoilt = spoil(good_file(), changes);
  const Bytes file(spoilt.begin(), spoilt.end());
  try {
    const hocket::uno::Firmware firmware(file);
    if (firmware.flash().size() > firmware.chip().flash) broken("flash", "too large");
    const hocket::uno::Declared declared = read_declared(firmware);
    hocket::program::RunFacts facts{};
    hocket::avr::tell_admission(declared, hocket::uno::admit(declared, /*anyway=*/false), facts);
    if (facts.loops.size() != declared.loops.size()) broken("loops were lost", "");
    return true;
  } catch (const hocket::uno::BadFirmware& problem) {
    if (std::strlen(problem.what()) == 0) broken("refused without a word", "");
    return false;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  taken(Bytes(data, data + size));
  return 0;
}

#ifdef HOCKET_CORPUS_RUN
#include "simulation/devices/random.h"

int main() {
  constexpr int kFiles = 30'000;
  if (!taken({})) broken("the good file", "is refused");
  const hocket::uno::Firmware good(good_file());
  if (!good.address("loop") || good.address("setup") != 0x110) broken("the good file", "symbols");
  hocket::sim::Random random(1, "avr image");
  int read = 0;
  for (int i = 0; i < kFiles; ++i) {
    Bytes changes(4 * static_cast<size_t>(random.between(1, 3)));
    for (uint8_t& byte : changes) byte = static_cast<uint8_t>(random.between(0, 255));
    read += taken(changes) ? 1 : 0;
  }
  std::printf("%d of %d spoilt files are read\n", read, kFiles);
  return read > 0 && read < kFiles ? 0 : 1;
}
#endif
