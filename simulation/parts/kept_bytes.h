// The bytes of a memory that keeps them without power: from a file at the start, into it at the
// end of the run.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "simulation/parts/section.h"

namespace hocket::sim {

class KeptBytes {
 public:
  /// `file`: where they are kept; without it they begin erased, or as `content` says.
  explicit KeptBytes(Section& section);

  /// A file that is not there yet, or empty, leaves them erased (255), or as `content` says. Throws
  /// ScenarioError for a content that is too long, DeviceError for a file that cannot be used.
  void load(std::span<uint8_t> bytes) const;
  void save(std::span<const uint8_t> bytes) const;

 private:
  unsigned line_;
  std::string file_;     // empty: they are not kept
  std::string content_;  // of what has no file yet
};

/// As many bytes as differ from erased ones.
uint64_t used_bytes(std::span<const uint8_t> bytes);

}  // namespace hocket::sim
