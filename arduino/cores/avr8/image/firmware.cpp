#include "arduino/cores/avr8/image/firmware.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <numeric>
#include <sstream>

namespace hocket::uno {
namespace {

// ELF, 32 bits, little-endian (System V ABI, chapters 4 and 5); the machine's number is in
// binutils.
constexpr uint16_t kMachineAvr = 83;
constexpr uint16_t kExecutable = 2;
constexpr uint32_t kLoad = 1;
constexpr uint32_t kProgramBits = 1;
constexpr uint32_t kSymbolTable = 2;
constexpr uint32_t kNoBits = 8;
constexpr uint32_t kAllocated = 2;

// Limits symbol and section names: a malformed table could refer to a text many times.
constexpr size_t kLongestName = 4096;

/// The file's bytes. Reading outside of them throws.
class Bytes {
 public:
  explicit Bytes(const std::vector<uint8_t>& all) : all_(all) {}

  template <class Integer>
  Integer at(uint64_t offset) const {
    need(offset, sizeof(Integer));
    Integer value;
    std::memcpy(&value, all_.data() + offset, sizeof value);
    return value;
  }
  std::string text(uint64_t offset) const {
    std::string result;
    for (; at<char>(offset) != '\0'; ++offset) {
      if (result.size() == kLongestName) throw BadFirmware("a name in it is too long");
      result += at<char>(offset);
    }
    return result;
  }
  const uint8_t* part(uint64_t offset, uint64_t size) const {
    need(offset, size);
    return all_.data() + offset;
  }

 private:
  void need(uint64_t offset, uint64_t size) const {
    if (offset > all_.size() || size > all_.size() - offset) throw BadFirmware("it is cut short");
  }
  const std::vector<uint8_t>& all_;
};

// Higher addresses are not memory: fuses, and data for tools.
constexpr uint32_t kNoMemory = 0x810000;

struct Section {
  uint32_t name, type, flags, address, offset, size, link;
};

Section section_at(const Bytes& elf, unsigned index) {
  const auto table = elf.at<uint32_t>(32);
  const uint64_t header = table + uint64_t{index} * elf.at<uint16_t>(46);
  const auto word = [&](unsigned offset) { return elf.at<uint32_t>(header + offset); };
  return {word(0), word(4), word(8), word(12), word(16), word(20), word(24)};
}

void check_kind(const Bytes& elf) {
  static constexpr uint8_t kIdentity[] = {0x7f, 'E', 'L', 'F', 1, 1};
  if (!std::equal(std::begin(kIdentity), std::end(kIdentity), elf.part(0, sizeof kIdentity)) ||
      elf.at<uint16_t>(16) != kExecutable || elf.at<uint16_t>(18) != kMachineAvr) {
    throw BadFirmware("it is no linked AVR program");
  }
}

void put(std::vector<uint8_t>& flash, const avr::ChipModel& chip, uint32_t to, const uint8_t* bytes,
         size_t size) {
  if (to >= chip.flash || size > chip.flash - to) {
    throw BadFirmware("it does not fit into " + std::to_string(chip.flash / 1024) +
                      " KiB of flash");
  }
  flash.resize(std::max<size_t>(flash.size(), to + size), 0xff);
  std::memcpy(flash.data() + to, bytes, size);
}

const avr::ChipModel* chip_in(const Bytes& elf) {
  constexpr uint32_t kArchitecture = 0x7f;  // of e_flags; the other bits are the linker's
  const avr::ChipModel* const chip = avr::chip_of(elf.at<uint32_t>(36) & kArchitecture);
  if (chip == nullptr) throw BadFirmware("it is for a chip that is not simulated");
  return chip;
}

std::vector<uint8_t> flash_of(const Bytes& elf, const avr::ChipModel& chip) {
  std::vector<uint8_t> flash;
  for (unsigned i = 0; i < elf.at<uint16_t>(44); ++i) {
    const uint64_t header = elf.at<uint32_t>(28) + uint64_t{i} * elf.at<uint16_t>(42);
    const auto size = elf.at<uint32_t>(header + 16);
    if (elf.at<uint32_t>(header) != kLoad || size == 0) continue;
    const auto to = elf.at<uint32_t>(header + 12);  // load address, not run address
    if (to >= kNoMemory) continue;
    put(flash, chip, to, elf.part(elf.at<uint32_t>(header + 4), size), size);
  }
  if (flash.empty()) throw BadFirmware("there is nothing in it");
  return flash;
}

/// The bytes of a line; empty if it is not a record.
std::vector<uint8_t> hex_record(const std::string& line) {
  std::vector<uint8_t> bytes;
  if (line.empty() || line[0] != ':') return bytes;
  for (size_t i = 1; i + 1 < line.size(); i += 2) {
    unsigned value = 0;
    const auto [end, error] = std::from_chars(&line[i], &line[i] + 2, value, 16);
    if (error != std::errc() || end != &line[i] + 2) break;
    bytes.push_back(static_cast<uint8_t>(value));
  }
  return bytes;
}

/// Intel HEX (Intel's specification, revision A, 1988): lines of `:SSAAAAKK…CC`, size, address,
/// kind, data and checksum. Beyond 64 KiB an extended address precedes the data.
std::vector<uint8_t> flash_of_hex(const std::string& text, const avr::ChipModel& chip) {
  constexpr uint8_t kData = 0, kEnd = 1, kSegment = 2;
  constexpr size_t kAround = 5;  // bytes of a record besides its data
  constexpr uint32_t kParagraph = 16;
  std::vector<uint8_t> flash;
  uint32_t base = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::vector<uint8_t> record = hex_record(line);
    if (record.size() < kAround || record.size() != record[0] + kAround ||
        std::accumulate(record.begin(), record.end(), 0u) % 256 != 0) {
      throw BadFirmware("a line of its HEX file is damaged");
    }
    if (record[3] == kEnd) return flash;
    if (record[3] == kSegment && record[0] == 2) {
      base = kParagraph * (record[4] * 256u + record[5]);
      continue;
    }
    if (record[3] != kData) throw BadFirmware("its HEX file is not for a processor of this size");
    put(flash, chip, base + record[1] * 256u + record[2], record.data() + 4, record[0]);
  }
  throw BadFirmware("its HEX file has no end");
}

}  // namespace

Firmware::Firmware(const std::vector<uint8_t>& all) {
  const Bytes elf(all);
  check_kind(elf);
  chip_ = chip_in(elf);
  flash_ = flash_of(elf, *chip_);
  const Section section_names = section_at(elf, elf.at<uint16_t>(50));
  uint64_t table_bytes = 0;
  for (unsigned i = 0; i < elf.at<uint16_t>(48); ++i) {
    const Section s = section_at(elf, i);
    const std::string own_name = elf.text(uint64_t{section_names.offset} + s.name);
    if (s.type == kProgramBits && own_name.starts_with(".hocket")) {
      const uint8_t* bytes = elf.part(s.offset, s.size);
      sections_[own_name].assign(bytes, bytes + s.size);
    }
    const bool in_data =
        s.address >= kDataBase + chip_->data_begin && s.address < kDataBase + chip_->data_end;
    if ((s.flags & kAllocated) != 0 && in_data) data_bytes_ += s.size;
    if (s.type != kSymbolTable) continue;
    const Section names = section_at(elf, s.link);
    if (names.type == kNoBits) throw BadFirmware("its symbols have no names");
    table_bytes += s.size;
    if (table_bytes > all.size()) throw BadFirmware("its tables of symbols share bytes");
    for (uint64_t at = s.offset; at + 16 <= uint64_t{s.offset} + s.size; at += 16) {
      const std::string name = elf.text(uint64_t{names.offset} + elf.at<uint32_t>(at));
      const bool defined = elf.at<uint16_t>(at + 14) != 0;
      if (!name.empty() && defined) symbols_.emplace(name, elf.at<uint32_t>(at + 4));
    }
  }
}

void Firmware::flash_from_hex(const std::string& file) {
  const std::vector<uint8_t> all = read_file(file);
  flash_ = flash_of_hex({all.begin(), all.end()}, *chip_);
}

std::optional<uint32_t> Firmware::address(const std::string& symbol) const {
  const auto found = symbols_.find(symbol);
  if (found == symbols_.end()) return std::nullopt;
  return found->second >= kDataBase ? found->second - kDataBase : found->second;
}

std::vector<std::string> Firmware::names_behind(const std::string& beginning) const {
  std::vector<std::string> found;
  for (auto at = symbols_.lower_bound(beginning);
       at != symbols_.end() && at->first.starts_with(beginning); ++at) {
    found.push_back(at->first.substr(beginning.size()));
  }
  return found;
}

std::vector<uint8_t> Firmware::section(const std::string& name) const {
  const auto found = sections_.find(name);
  return found == sections_.end() ? std::vector<uint8_t>{} : found->second;
}

std::vector<uint8_t> Firmware::read_file(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in || !std::filesystem::is_regular_file(file)) throw BadFirmware("it cannot be read");
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

}  // namespace hocket::uno
