// The bytes of a memory that keeps them without power: from a file at the start, into it at the
// end of the run.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "simulation/devices/kept_file.h"
#include "simulation/parts/section.h"

namespace hocket::sim {

class KeptBytes {
 public:
  /// `file`: where they are kept; without it they begin erased, or as `content` says. `saved no`:
  /// it is read, and stays as it is.
  explicit KeptBytes(Section& section);

  /// A file that is not there yet leaves them erased (255), or as `content` says. Throws
  /// ScenarioError for a content that is too long, DeviceError for a file that cannot be used. From
  /// now on no other run has the file.
  void load(std::span<uint8_t> bytes);
  void save(std::span<const uint8_t> bytes);

 private:
  unsigned line_;
  std::optional<KeptFile> file_;  // none: they are not kept
  bool saved_;                    // at the end
  std::string content_;           // of what has no file yet
};

/// As many bytes as differ from erased ones.
uint64_t used_bytes(std::span<const uint8_t> bytes);

}  // namespace hocket::sim
