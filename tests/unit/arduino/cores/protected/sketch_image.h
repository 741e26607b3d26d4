// Images of sketches for tests: a good one to spoil, and a second opinion about spoilt ones.
//
//   page 0  header, code │ page 1  table, descriptors, names │ page 2  data
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <iterator>
#include <string>
#include <vector>

#include "arduino/cores/protected/kernel/check.h"

namespace hocket::sketch::test {

/// An image in memory that is aligned to 8 bytes and ends exactly where it ends, for
/// AddressSanitizer.
class Image {
 public:
  explicit Image(uint64_t size) : words_(new uint64_t[(size + 7) / 8]()), size_(size) {}
  Image(const Image& other) : Image(other.size_) { std::memcpy(words_, other.words_, size_); }
  Image& operator=(const Image&) = delete;
  ~Image() { delete[] words_; }

  unsigned char* bytes() { return reinterpret_cast<unsigned char*>(words_); }
  const unsigned char* bytes() const { return reinterpret_cast<const unsigned char*>(words_); }
  Header& header() { return *reinterpret_cast<Header*>(words_); }
  uint64_t size() const { return size_; }
  /// From now on the first `size` bytes, if there are more.
  void shorten(uint64_t size) { size_ = size < size_ ? size : size_; }

  /// The `width` bytes at a sketch's address, as an unsigned number.
  uint64_t read(uint64_t address, unsigned width) const {
    uint64_t value = 0;
    std::memcpy(&value, bytes() + (address - kBase), width);
    return value;
  }
  void write(uint64_t address, unsigned width, uint64_t value) {
    std::memcpy(bytes() + (address - kBase), &value, width);
  }

 private:
  uint64_t* words_;
  uint64_t size_;
};

// Offsets in a loop's descriptor, as the sketch's compiler lays it out.
enum Offset : uint64_t {
  kBody = 0,
  kFile = 8,
  kBudget = 16,
  kPeriod = 24,
  kDeadline = 32,
  kStackBytes = 40,
  kLine = 44,
  kId = 48,
  kCore = 49,
  kKind = 50,
  kIsBackground = 51,
  kOverrun = 58,
  kSuspended = 59,
  kSlice = 60,
  kDescriptorSize = 72
};
static_assert(sizeof(LoopDescriptor) == kDescriptorSize);

inline constexpr uint64_t kText = kBase + 1024;  // where its code is
inline constexpr uint64_t kConstants = kBase + kPage;
inline constexpr unsigned kLoops = 3;
inline constexpr uint64_t kDescriptors = kConstants + 64;
inline constexpr uint64_t kNames = kDescriptors + kLoops * kDescriptorSize;
inline constexpr uint64_t kData = kBase + 2 * kPage;
inline constexpr uint64_t kDataSize = 40;

/// A sketch with three loops that the kernel must accept.
inline Image good_image() {
  Image image(kData + kDataSize - kBase);
  const std::string names[] = {"a.ino", "a.ino", "the_last_name_ends_with_the_constants.cpp"};
  uint64_t name = kNames;
  for (unsigned i = 0; i < kLoops; ++i) {
    const uint64_t descriptor = kDescriptors + i * kDescriptorSize;
    image.write(kConstants + 8 * i, 8, descriptor);
    image.write(descriptor + kBody, 8, kText + 4 * i);
    image.write(descriptor + kFile, 8, name);
    image.write(descriptor + kBudget, 8, 1'000'000 * (i + 1));
    image.write(descriptor + kPeriod, 8, 100'000'000);
    image.write(descriptor + kDeadline, 8, 50'000'000);
    image.write(descriptor + kLine, 4, 10 + i);
    image.write(descriptor + kId, 1, i + 1);
    image.write(descriptor + kCore, 1, i == 0 ? LoopDescriptor::kAnyCore : i);
    image.write(descriptor + kKind, 1, i % 2);
    std::memcpy(image.bytes() + (name - kBase), names[i].c_str(), names[i].size() + 1);
    name += names[i].size() + 1;
  }
  image.header() = {.magic = kMagic,
                    .abi = kAbi,
                    .flags = kUsesSpinlocks,
                    .text_end = kText + 64,
                    .rodata_begin = kConstants,
                    .rodata_end = name,
                    .data_begin = kData,
                    .data_end = kData + kDataSize,
                    .bss_end = kData + kPage + 8,
                    .heap_begin = kData + 2 * kPage,
                    .heap_end = kData + 10 * kPage,
                    .loops_begin = kConstants,
                    .loops_end = kConstants + 8 * kLoops,
                    .tls_size = 32,
                    .enter_setup = kText,
                    .enter_loop = kText + 4,
                    .plain_loop = 0,
                    .fault_policy = FaultPolicy::StopLoop,
                    .longest_section = 0};
  return image;
}

// --- The second opinion: the same rules, written down again another way ---

namespace detail {

/// Numbers that no addition here can wrap.
using Wide = unsigned __int128;

inline bool ordered(std::initializer_list<Wide> values) {
  const Wide* last = nullptr;
  for (const Wide& value : values) {
    if (last != nullptr && value < *last) return false;
    last = &value;
  }
  return true;
}

inline bool page_after(Wide begin, Wide end) {
  return begin % 4096 == 0 && begin >= end && begin - end < 4096;
}

inline bool is_code(const Header& h, Wide address) {
  return address % 4 == 0 && ordered({Wide{kBase} + sizeof(Header), address, Wide{h.text_end} - 1});
}

inline bool good_header(const Header& h, uint64_t size) {
  const bool parts = h.text_end > kBase + sizeof(Header) &&
                     ordered({kBase, h.text_end, h.rodata_begin, h.rodata_end, h.data_begin,
                              h.data_end, h.bss_end, h.heap_begin, h.heap_end, 0x2000'0000}) &&
                     page_after(h.rodata_begin, h.text_end) &&
                     page_after(h.data_begin, h.rodata_end) && page_after(h.heap_begin, h.bss_end);
  if (!parts) return false;
  uint64_t file_end = h.text_end;
  if (h.rodata_begin != h.rodata_end) file_end = h.rodata_end;
  if (h.data_begin != h.data_end) file_end = h.data_end;
  const bool table = ordered({h.rodata_begin, h.loops_begin, h.loops_end, h.rodata_end}) &&
                     h.loops_begin % 8 == 0 && h.loops_end % 8 == 0 &&
                     h.loops_end - h.loops_begin <= Wide{255} * 8;
  const bool numbers =
      h.magic == 0x31'48'43'54'4b'53'48 && h.abi == 6 && h.flags <= 15 && h.tls_size <= 65536 &&
      h.tls_size % 16 == 0 && static_cast<uint32_t>(h.fault_policy) <= 2 &&
      (h.longest_section == 0 || (ordered({h.rodata_begin, h.longest_section,
                                           uint64_t{h.longest_section} + 8, h.rodata_end}) &&
                                  h.longest_section % 8 == 0));
  const bool entries = is_code(h, h.enter_setup) && is_code(h, h.enter_loop) &&
                       (h.plain_loop == 0 || is_code(h, h.plain_loop));
  // An image may be filled up to the page.
  const bool sized =
      size >= file_end - kBase && Wide{kBase} + size <= (Wide{h.data_end} + 4095) / 4096 * 4096;
  return table && numbers && entries && sized;
}

inline bool good_name(const Image& image, const Header& h, uint64_t name) {
  if (name < h.rodata_begin) return false;
  for (uint64_t length = 0; length < 4096 && name + length < h.rodata_end; ++length) {
    if (image.read(name + length, 1) == 0) return true;
  }
  return false;
}

inline bool good_loop(const Image& image, const Header& h, uint64_t descriptor) {
  if (descriptor % 8 != 0 ||
      !ordered({h.rodata_begin, descriptor, Wide{descriptor} + kDescriptorSize, h.rodata_end})) {
    return false;
  }
  const auto field = [&](Offset at, unsigned width) { return image.read(descriptor + at, width); };
  const uint64_t core = field(kCore, 1);
  // 2 to 4: of interrupts, which may have no number; 3 may be without budget for a while.
  const uint64_t kind = field(kKind, 1);
  return is_code(h, field(kBody, 8)) && good_name(image, h, field(kFile, 8)) &&
         ordered({kind == 3 ? 0u : 1u, field(kBudget, 8), field(kDeadline, 8), field(kPeriod, 8),
                  Wide{100} * 365 * 24 * 3600 * 1'000'000'000}) &&
         field(kStackBytes, 4) <= 1u << 30 && (field(kId, 1) >= 1 || kind >= 2) &&
         (core < 64 || core == 255) && kind <= 4 && field(kIsBackground, 1) <= 1 &&
         field(kOverrun, 1) <= 2 && field(kSuspended, 1) <= (kind == 1 ? 1u : 0u) &&
         field(kSlice, 4) <= 1'000'000;
}

}  // namespace detail

/// Whether the kernel should accept an image.
inline bool acceptable(const Image& image) {
  if (image.size() < sizeof(Header)) return false;
  Header h;
  std::memcpy(&h, image.bytes(), sizeof h);
  if (!detail::good_header(h, image.size())) return false;
  for (uint64_t entry = h.loops_begin; entry < h.loops_end; entry += 8) {
    if (!detail::good_loop(image, h, image.read(entry, 8))) return false;
  }
  return true;
}

// --- Spoiling one ---

/// A number somewhere in an image.
struct Place {
  uint64_t address;
  unsigned width;
};

/// All numbers of the good image that mean something.
inline std::vector<Place> places() {
  std::vector<Place> all;
  constexpr uint64_t kPolicy = offsetof(Header, fault_policy);  // words of two numbers
  constexpr uint64_t kVersion = offsetof(Header, abi);
  for (const uint64_t word : {kVersion, kPolicy}) {
    all.push_back({kBase + word, 4});
    all.push_back({kBase + word + 4, 4});
  }
  for (uint64_t word = 0; word < sizeof(Header); word += 8) {
    if (word != kVersion && word != kPolicy) all.push_back({kBase + word, 8});
  }
  for (unsigned i = 0; i < kLoops; ++i) {
    all.push_back({kConstants + 8 * i, 8});
    const uint64_t d = kDescriptors + i * kDescriptorSize;
    for (const uint64_t at : {kBody, kFile, kBudget, kPeriod, kDeadline})
      all.push_back({d + at, 8});
    all.push_back({d + kStackBytes, 4});
    all.push_back({d + kSlice, 4});
    for (const uint64_t at : {kId, kCore, kKind, kIsBackground, kOverrun, kSuspended})
      all.push_back({d + at, 1});
  }
  for (uint64_t at = kNames; at < kNames + 60; ++at) all.push_back({at, 1});
  return all;
}

/// Changes an image as bytes say, eleven at a time: which place, how, and a number. Any bytes will
/// do.
inline void spoil(Image& image, const std::vector<uint8_t>& bytes) {
  static const std::vector<Place> all = places();
  static const uint64_t borders[] = {0,     kBase, kText,   kConstants, kNames,
                                     kData, kEnd,  kStacks, kStacksEnd, UINT64_MAX};
  for (size_t i = 0; i + 11 <= bytes.size(); i += 11) {
    const size_t which = (bytes[i] | size_t{bytes[i + 1]} << 8) % (all.size() + 1);
    const uint8_t how = bytes[i + 2];
    uint64_t number = 0;
    std::memcpy(&number, &bytes[i + 3], 8);
    if (which == all.size()) {
      image.shorten(number % (image.size() + 64));
      continue;
    }
    const Place place = all[which];
    if (place.address + place.width > kBase + image.size()) continue;
    const auto step = static_cast<int8_t>(number);
    switch (how % 4) {
      case 0:
        break;
      case 1:
        number = image.read(place.address, place.width) + static_cast<uint64_t>(step);
        break;
      case 2:
        number = borders[how / 4 % std::size(borders)] + static_cast<uint64_t>(step);
        break;
      default:
        number = image.read(place.address, place.width) + static_cast<uint64_t>(step) * kPage;
    }
    image.write(place.address, place.width, number);
  }
}

}  // namespace hocket::sketch::test
