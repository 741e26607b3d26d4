// Prints the header of a sketch's flat image as JSON, read with the struct that the kernel reads it
// with.
#include <cstdio>
#include <cstring>

#include "arduino/cores/protected/sketch/image.h"

namespace {
const char* separator = "{";

void print(const char* name, uint64_t value) {
  std::printf("%s\"%s\": %llu", separator, name, static_cast<unsigned long long>(value));
  separator = ", ";
}
}  // namespace

int main(int count, char** arguments) {
  using namespace hocket::sketch;
  std::FILE* file = count == 2 ? std::fopen(arguments[1], "rb") : nullptr;
  Header header;
  if (file == nullptr || std::fread(&header, sizeof header, 1, file) != 1) return 1;
  std::fclose(file);
  print("right_magic", header.magic == kMagic ? 1 : 0);
  print("right_abi", header.abi == kAbi ? 1 : 0);
  print("uses_spinlocks", header.flags & kUsesSpinlocks ? 1 : 0);
  print("trusted_pins", header.flags & kTrustedPinAccess ? 1 : 0);
  print("pin_interrupts", header.flags & kUsesPinInterrupts ? 1 : 0);
  print("holds_handlers", header.flags & kHoldsHandlers ? 1 : 0);
  print("other_flags", header.flags & ~uint32_t{kUsesSpinlocks | kTrustedPinAccess |
                                                kUsesPinInterrupts | kHoldsHandlers});
  print("size", sizeof header);
#define HOCKET_PRINT_(field) print(#field, static_cast<uint64_t>(header.field))
  HOCKET_PRINT_(text_end);
  HOCKET_PRINT_(rodata_begin);
  HOCKET_PRINT_(rodata_end);
  HOCKET_PRINT_(data_begin);
  HOCKET_PRINT_(data_end);
  HOCKET_PRINT_(bss_end);
  HOCKET_PRINT_(heap_begin);
  HOCKET_PRINT_(heap_end);
  HOCKET_PRINT_(loops_begin);
  HOCKET_PRINT_(loops_end);
  HOCKET_PRINT_(tls_size);
  HOCKET_PRINT_(enter_setup);
  HOCKET_PRINT_(enter_loop);
  HOCKET_PRINT_(plain_loop);
  HOCKET_PRINT_(fault_policy);
  HOCKET_PRINT_(longest_section);
  std::puts("}");
  return 0;
}
