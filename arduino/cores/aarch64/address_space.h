// AArch64: where the parts of a sketch lie in its address space, for both sides (image.h), as
// sketch.ld has it.
#pragma once

#include <stdint.h>

namespace hocket::sketch {

inline constexpr uint64_t kPage = 4096;           // the unit of access rights
inline constexpr uint64_t kBase = 0x1000'0000;    // the header, at the beginning of the text
inline constexpr uint64_t kEnd = 0x2000'0000;     // text to heap end below it
inline constexpr uint64_t kStacks = 0x2000'0000;  // the stacks' region
inline constexpr uint64_t kStacksEnd = 0x4000'0000;
inline constexpr uint64_t kTrustedPins = 0x5000'0000;  // a trusted sketch's GPIO registers

inline constexpr uint64_t kInstruction = 4;      // the alignment of code
inline constexpr uint64_t kStackAlignment = 16;  // and of thread-local storage

}  // namespace hocket::sketch
