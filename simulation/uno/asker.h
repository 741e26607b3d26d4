// The part of a sketch that made a call, for the report.
#pragma once

#include <string>

namespace hocket::uno {

/// A loop's number, or one of these.
inline constexpr int kSetupAsks = -1, kHandlerAsks = -2;

inline std::string name_of_asker(int asker) {
  if (asker == kSetupAsks) return "setup()";
  if (asker == kHandlerAsks) return "a handler";
  return asker == 0 ? "loop()" : "loop " + std::to_string(asker);
}

}  // namespace hocket::uno
