#include "simulation/parts/kept_bytes.h"

#include <algorithm>
#include <fstream>

namespace hocket::sim {

KeptBytes::KeptBytes(Section& section)
    : line_(section.line()),
      file_(section.text_or("file", "")),
      content_(section.text_or("content", "")) {}

void KeptBytes::load(std::span<uint8_t> bytes) const {
  std::fill(bytes.begin(), bytes.end(), 0xff);
  if (content_.size() > bytes.size())
    throw ScenarioError(line_, "the content of a memory has " + std::to_string(content_.size()) +
                                   " bytes, and the memory " + std::to_string(bytes.size()));
  std::copy(content_.begin(), content_.end(), bytes.begin());
  if (file_.empty()) return;
  std::ifstream in(file_, std::ios::binary);
  if (!in || in.peek() == EOF) return;
  in.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  if (in.gcount() == static_cast<std::streamsize>(bytes.size()) && in.get() == EOF) return;
  throw DeviceError("the file " + file_ + " is not what this memory has kept: it must have " +
                    std::to_string(bytes.size()) + " bytes; remove it to begin erased");
}

void KeptBytes::save(std::span<const uint8_t> bytes) const {
  if (file_.empty()) return;
  std::ofstream out(file_, std::ios::binary | std::ios::trunc);
  out.write(reinterpret_cast<const char*>(bytes.data()),
            static_cast<std::streamsize>(bytes.size()));
  out.close();
  if (!out) throw DeviceError("the file " + file_ + " cannot be written");
}

uint64_t used_bytes(std::span<const uint8_t> bytes) {
  return bytes.size() - static_cast<size_t>(std::count(bytes.begin(), bytes.end(), 0xff));
}

}  // namespace hocket::sim
