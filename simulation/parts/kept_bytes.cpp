#include "simulation/parts/kept_bytes.h"

#include <algorithm>

namespace hocket::sim {

KeptBytes::KeptBytes(Section& section)
    : line_(section.line()),
      saved_(section.choice_or("saved", 1, {"no", "yes"}) == 1),
      content_(section.text_or("content", "")) {
  if (const std::string named = section.text_or("file", ""); !named.empty()) file_.emplace(named);
}

void KeptBytes::load(std::span<uint8_t> bytes) {
  std::fill(bytes.begin(), bytes.end(), 0xff);
  if (content_.size() > bytes.size())
    throw ScenarioError(line_, "the content of a memory has " + std::to_string(content_.size()) +
                                   " bytes, and the memory " + std::to_string(bytes.size()));
  std::copy(content_.begin(), content_.end(), bytes.begin());
  if (!file_) return;
  if (saved_) file_->reserve();
  const std::optional<std::string> kept = file_->read(bytes.size());
  if (!kept) return;
  if (kept->size() != bytes.size())
    throw DeviceError("the file " + file_->name() +
                      " is not what this memory has kept: it must have " +
                      std::to_string(bytes.size()) + " bytes; remove it to begin erased");
  std::copy(kept->begin(), kept->end(), bytes.begin());
}

void KeptBytes::save(std::span<const uint8_t> bytes) {
  if (file_ && saved_) file_->replace(bytes);
}

uint64_t used_bytes(std::span<const uint8_t> bytes) {
  return bytes.size() - static_cast<size_t>(std::count(bytes.begin(), bytes.end(), 0xff));
}

}  // namespace hocket::sim
