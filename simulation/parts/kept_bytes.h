// The content of a memory that keeps it without power: read from a file at the start, and written
// to it at the end of the run.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "simulation/parts/section.h"

namespace hocket::sim {

class KeptBytes {
 public:
  /// `file`: where the content is kept. Without it, the memory starts erased or with `content`.
  explicit KeptBytes(Section& section);

  /// If the file is missing or empty, the memory starts erased (255) or with `content`. Throws
  /// ScenarioError if the content is too long, DeviceError if the file is unusable.
  void load(std::span<uint8_t> bytes) const;
  void save(std::span<const uint8_t> bytes) const;

 private:
  unsigned line_;
  std::string file_;     // empty: the content is not kept
  std::string content_;  // initial content if there is no file yet
};

/// The number of bytes that differ from erased ones.
uint64_t used_bytes(std::span<const uint8_t> bytes);

}  // namespace hocket::sim
