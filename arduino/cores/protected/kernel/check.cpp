// The checks of a sketch's image (see check.h).
#include "arduino/cores/protected/kernel/check.h"

#include "arduino/cores/protected/kernel/legal_values.h"
#include "kernel/base/text.h"

namespace hocket::sketch {
namespace {

char message[200];

/// Formats one sentence: what is wrong, and the remedy.
const char* refuse(const char* what) {
  TextWriter(message, sizeof message)
      .put("the sketch cannot be used: ", what, "; build it again with this Hocket's own tools");
  return message;
}
const char* refuse(const char* before, uint64_t number, const char* behind) {
  char what[100];
  return refuse(TextWriter(what, sizeof what).put(before, number, behind).c_str());
}
const char* refuse(const char* before, uint64_t one, const char* between, uint64_t other,
                   const char* behind) {
  char what[100];
  return refuse(TextWriter(what, sizeof what).put(before, one, between, other, behind).c_str());
}

constexpr bool within(uint64_t address, uint64_t begin, uint64_t end) {
  return address >= begin && address < end;
}

/// Whether the address is in the sketch's text, after the header.
bool is_code(const Header& header, uint64_t address) {
  return within(address, kBase + sizeof(Header), header.text_end) && address % kInstruction == 0;
}

const char* check_parts(const Header& h) {
  if (h.text_end <= kBase + sizeof(Header) || h.text_end > kEnd) {
    return refuse("its text does not end between its header and the end of its memory");
  }
  if (h.rodata_begin != page_up(h.text_end)) {
    return refuse("its constants do not begin on the page after its text");
  }
  if (h.rodata_end < h.rodata_begin || h.rodata_end > kEnd) {
    return refuse("its constants end before they begin, or beyond its memory");
  }
  if (h.data_begin != page_up(h.rodata_end)) {
    return refuse("its data does not begin on the page after its constants");
  }
  if (h.data_end < h.data_begin || h.data_end > kEnd) {
    return refuse("its data ends before it begins, or beyond its memory");
  }
  if (h.bss_end < h.data_end || h.bss_end > kEnd) {
    return refuse("its zeroed variables end before they begin, or beyond its memory");
  }
  if (h.heap_begin != page_up(h.bss_end)) {
    return refuse("its heap does not begin on the page after its variables");
  }
  if (h.heap_end < h.heap_begin || h.heap_end > kEnd) {
    return refuse("its heap ends before it begins, or beyond its memory");
  }
  return nullptr;
}

const char* check_entries(const Header& h) {
  constexpr uint64_t kPointer = sizeof(uint64_t);
  if (h.loops_begin < h.rodata_begin || h.loops_end < h.loops_begin || h.loops_end > h.rodata_end ||
      (h.loops_begin | h.loops_end) % kPointer != 0) {
    return refuse("its table of loops is not among its constants");
  }
  if ((h.loops_end - h.loops_begin) / kPointer > kMostLoops) {
    return refuse("its table has more than ", kMostLoops, " loops");
  }
  if (!is_code(h, h.enter_setup) || !is_code(h, h.enter_loop)) {
    return refuse("an entry point is not in its text");
  }
  if (h.plain_loop != 0 && !is_code(h, h.plain_loop)) {
    return refuse("its loop() is not in its text");
  }
  if (h.tls_size > kMostThreadStorage || h.tls_size % kStackAlignment != 0) {
    return refuse("its thread-local storage is not a multiple of ", kStackAlignment, " up to ",
                  kMostThreadStorage, " bytes");
  }
  constexpr uint32_t kKnownFlags =
      kUsesSpinlocks | kTrustedPinAccess | kUsesPinInterrupts | kHoldsHandlers;
  if ((h.flags & ~kKnownFlags) != 0) return refuse("it has unknown flags");
  if (h.fault_policy > FaultPolicy::RestartSketch) {
    return refuse("its policy for faults is unknown");
  }
  const uint64_t section = h.longest_section;
  if (section != 0 && (section < h.rodata_begin || section > h.rodata_end - sizeof(uint64_t) ||
                       section % alignof(uint64_t) != 0)) {
    return refuse("the length of its sections is not among its constants");
  }
  return nullptr;
}

/// The image in the kernel's memory, addressed as the sketch addresses it.
class View {
 public:
  View(const Header& header, const void* image)
      : header_(header), image_(static_cast<const unsigned char*>(image)) {}

  const unsigned char* at(uint64_t address) const { return image_ + (address - kBase); }

  /// Whether `size` bytes from an aligned address are wholly among the constants.
  bool constant(uint64_t address, uint64_t size, uint64_t alignment) const {
    return within(address, header_.rodata_begin, header_.rodata_end) &&
           size <= header_.rodata_end - address && address % alignment == 0;
  }

  /// Whether a text of at most `most` bytes, including its 0, is wholly among the constants.
  bool text(uint64_t address, uint64_t most) const {
    if (!constant(address, 1, 1)) return false;
    const uint64_t room = smaller(most, header_.rodata_end - address);
    const unsigned char* const begin = at(address);
    for (uint64_t i = 0; i < room; ++i) {
      if (begin[i] == '\0') return true;
    }
    return false;
  }

  /// SAFETY: the address was checked to be aligned and inside the image.
  template <class T>
  const T& object(uint64_t address) const {
    return *reinterpret_cast<const T*>(at(address));
  }

 private:
  const Header& header_;
  const unsigned char* image_;
};

const char* refuse_value(unsigned id, const edge::Field& field, uint64_t value) {
  char what[100];
  TextWriter text(what, sizeof what);
  text.put("the ", field.name, " of loop ", id, " is ", value, ", and can be ", field.lowest);
  return refuse(text.put(field.highest == 1 ? " or " : " to ", field.highest).c_str());
}

const char* check_numbers(unsigned entry, const LoopDescriptor& d) {
  // A byte that is neither 0 nor 1 must not be read as a bool, nor an invalid value as an
  // enumeration.
  const auto* const bytes = reinterpret_cast<const unsigned char*>(&d);
  if (const edge::Field* const wrong = edge::first_illegal<LoopDescriptor>(bytes))
    return refuse_value(d.id, *wrong, edge::value_of(*wrong, bytes));
  // Loops of handlers get a free number later (arduino/runtime/loop_table.h).
  if (d.id == 0 && d.is_a_loop()) return refuse("loop ", entry, " of its table has the number 0");
  if (d.suspended && d.kind != LoopKind::Periodic) {
    return refuse("loop ", d.id, " is suspended, and only a periodic() can be");
  }
  // (An I/O virtual CPU may have a budget of 0 for a while: loop_table.h.)
  const bool empty = d.budget_ns == 0 && d.kind != LoopKind::BottomHalf;
  if (empty || d.budget_ns > d.deadline_ns || d.deadline_ns > d.period_ns) {
    return refuse("loop ", d.id,
                  " has no budget, or one that its deadline or period does not hold");
  }
  if (d.core > LoopDescriptor::kHighestCore && d.core != LoopDescriptor::kAnyCore) {
    return refuse("loop ", d.id, " is pinned to a core that no board has");
  }
  return nullptr;
}

}  // namespace

const char* check_header(const Header& header, uint64_t image_size) {
  if (header.magic != kMagic) return refuse("it does not begin as a sketch does");
  if (header.abi != kAbi) {
    return refuse("it speaks version ", header.abi, " of the system calls, this kernel version ",
                  kAbi, "");
  }
  if (const char* wrong = check_parts(header)) return wrong;
  if (image_size < image_end(header) - kBase) {
    return refuse("its image is shorter than its header says");
  }
  if (image_size > page_up(header.data_end) - kBase) {
    return refuse("its image is longer than its header says");
  }
  return check_entries(header);
}

const char* check_loops(const Header& header, const void* image) {
  const View view(header, image);
  unsigned entry = 0;
  for (uint64_t at = header.loops_begin; at < header.loops_end; at += sizeof(uint64_t), ++entry) {
    const auto address = view.object<uint64_t>(at);
    if (!view.constant(address, sizeof(LoopDescriptor), alignof(LoopDescriptor))) {
      return refuse("loop ", entry, " of its table is not among its constants");
    }
    const auto& descriptor = view.object<LoopDescriptor>(address);
    if (const char* wrong = check_numbers(entry, descriptor)) return wrong;
    if (!is_code(header, reinterpret_cast<uint64_t>(descriptor.body))) {
      return refuse("the body of loop ", descriptor.id, " is not in its text");
    }
    if (!view.text(reinterpret_cast<uint64_t>(descriptor.file), kMostFileName)) {
      return refuse("the file name of loop ", descriptor.id, " is not a text among its constants");
    }
  }
  return nullptr;
}

const char* check(const void* image, uint64_t size) {
  if (size < sizeof(Header)) return refuse("its image is shorter than a header");
  const auto& header = *static_cast<const Header*>(image);
  if (const char* wrong = check_header(header, size)) return wrong;
  return check_loops(header, image);
}

}  // namespace hocket::sketch
