// The fault of a loop that passed unusable memory to the kernel (see from_sketch.h).
#include "arduino/cores/protected/kernel/from_sketch.h"

#include "kernel/base/text.h"

namespace hocket::edge {
namespace {

constexpr size_t kRoom = sizeof(faults::Record::text) + 1;

}  // namespace

[[gnu::cold]] void stop_for_memory(Word address, const char* what, size_t alignment,
                                   uint64_t code) {
  Text<kRoom> text;
  if (address % alignment != 0 && Domain::current().memory().writable(address, 1)) {
    text.put("gave ", what, " at an address that is not a multiple of ", alignment);
  } else {
    text.put("gave ", what, " that is not its own");
  }
  faults::stop("bad access", address, code, text.c_str(), text.length());
}

[[gnu::cold]] void stop_for_value(const char* structure, const Field& field, uint64_t value,
                                  uint64_t code) {
  Text<kRoom> text("gave a structure (", structure, ") whose ", field.name, " is ", value);
  text.put(": it can be ", field.lowest, field.highest == 1 ? " or " : " to ", field.highest);
  faults::stop("call", faults::kUnknown, code, text.c_str(), text.length());
}

}  // namespace hocket::edge
