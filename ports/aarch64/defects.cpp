// Traps in the kernel itself. They are always defects of Hocket: report as much as possible, then
// stop.
#include "ports/aarch64/boot.h"

namespace {

/// Builds one line of text without a library, because little may still work.
class Line {
 public:
  Line& operator<<(const char* text) {
    while (*text != '\0' && used_ + 1 < sizeof text_) text_[used_++] = *text++;
    text_[used_] = '\0';
    return *this;
  }
  Line& operator<<(uint64_t value) {
    char digits[19] = "0x";
    for (unsigned i = 0; i < 16; ++i)
      digits[2 + i] = "0123456789abcdef"[value >> (60 - 4 * i) & 15];
    digits[18] = '\0';
    return *this << digits;
  }
  const char* text() const { return text_; }

 private:
  char text_[240] = {};
  unsigned used_ = 0;
};

}  // namespace

/// Called by vectors.S on the core's emergency stack, with the vector's number, ESR, ELR, FAR, and
/// the stack pointer at the trap.
extern "C" [[noreturn]] void hocket_kernel_defect(uint64_t vector, uint64_t syndrome,
                                                  uint64_t instruction, uint64_t address,
                                                  uint64_t stack) {
  Line line;
  line << "defect of the kernel: exception " << vector << " at " << instruction << ", syndrome "
       << syndrome << ", address " << address << ", stack " << stack;
  hocket_halt(line.text());
}
