// A sketch's protection domain (see domain.h).
#include "arduino/cores/protected/kernel/domain.h"

#include "arduino/cores/protected/kernel/check.h"
#include "arduino/cores/protected/sketch/lock_record.h"
#include "kernel/base/construct.h"
#include "memory_map.h"
#include "ports/aarch64/boot.h"

extern "C" [[noreturn]] void hocket_enter_user(uint64_t entry, uint64_t argument, uint64_t stack,
                                               void* kernel_stack);

namespace hocket {
namespace {

using aarch64::Access;
using aarch64::kPageSize;
using aarch64::MapResult;

port::Stack kernel_stacks[Board::kMaxLoops + 1];  // indexed by thread number

/// Fills pages with zeros. DC ZVA clears a block of the size in DCZID_EL0 (DDI 0487, C5.3.9).
void clear(void* begin, size_t size) {
  uint64_t id;
  asm("mrs %0, dczid_el0" : "=r"(id));
  const size_t step = size_t{4} << (id & 15);
  for (auto* at = static_cast<char*>(begin); at < static_cast<char*>(begin) + size; at += step) {
    asm volatile("dc zva, %0" ::"r"(at) : "memory");
  }
}

const Domain& domain_of(runtime::Sketch& sketch) {
  return static_cast<const Domain&>(sketch.program());
}

void enter_setup(runtime::Sketch& sketch) {
  const Domain& domain = domain_of(sketch);
  domain.run(domain.header().enter_setup, 0, sketch.setup().stack);
}

void enter_loop(runtime::Loop& loop) {
  const Domain& domain = domain_of(*loop.sketch);
  domain.run(domain.header().enter_loop, reinterpret_cast<uint64_t>(loop.descriptor->body),
             loop.stack);
}

}  // namespace

Domain::Domain() = default;

bool Domain::map(uint64_t address, uint64_t physical, uint64_t size, Access access) {
  if (size == 0) return true;
  return table_.map(memory::frames(), address, physical, size, access) == MapResult::Done;
}

/// Maps a part of the image in place.
bool Domain::map_part(const char* image, uint64_t begin, uint64_t end, Access access) {
  const char* part = image + (begin - sketch::kBase);
  return map(begin, aarch64::physical(part), sketch::page_up(end) - begin, access);
}

/// Allocates data, bss and heap: zeros, except for the image's data at the beginning.
bool Domain::make_data(const char* image, const sketch::Header& h) {
  const uint64_t size = sketch::page_up(h.heap_end) - h.data_begin;
  if (size == 0) return true;
  const uint64_t physical = memory::frames().take(size / kPageSize);
  if (physical == aarch64::kNoAddress) return false;
  char* const data = memory::frames().at<char>(physical);
  clear(data, size);
  __builtin_memcpy(data, image + (h.data_begin - sketch::kBase), h.data_end - h.data_begin);
  return map(h.data_begin, physical, size, Access::UserData);
}

const char* Domain::load(const char* begin, const char* end) {
  const auto size = static_cast<uint64_t>(end - begin);
  if (size < sizeof(sketch::Header)) return "this image carries no sketch";
  const auto& h = *reinterpret_cast<const sketch::Header*>(begin);
  if (const char* error = sketch::check(&h, size)) return error;
  const bool mapped = map_part(begin, sketch::kBase, h.text_end, Access::UserText) &&
                      map_part(begin, h.rodata_begin, h.rodata_end, Access::UserRead) &&
                      make_data(begin, h);
  if (!mapped) return "there is not enough memory for the sketch's variables and heap";
  if ((h.flags & sketch::kTrustedPinAccess) != 0 &&
      !map(sketch::kTrustedPins, machine::Board::kTrustedPins, kPageSize, Access::UserDevice)) {
    return "the board's pin registers cannot be mapped";
  }
  header_ = &h;
  data_begin_ = h.data_begin;
  data_end_ = h.heap_end & ~uint64_t{7};
  construct<sketch::UserMemory>(memory_room_, h, stacks_);
  // Reads the table at the sketch's addresses: the domain is entered before its loops are read.
  using Table = const LoopDescriptor* const*;
  loops_begin = reinterpret_cast<Table>(h.loops_begin);
  loops_end = reinterpret_cast<Table>(h.loops_end);
  plain_loop = reinterpret_cast<void (*)()>(h.plain_loop);
  uses_spinlocks = (h.flags & sketch::kUsesSpinlocks) != 0;
  holds_handlers = (h.flags & sketch::kHoldsHandlers) != 0;
  if (h.longest_section != 0) {
    // SAFETY: the address was checked to be aligned and among the constants.
    longest_section_ns =
        *reinterpret_cast<const uint64_t*>(begin + (h.longest_section - sketch::kBase));
  }
  enter_setup = &hocket::enter_setup;
  enter_loop = &hocket::enter_loop;
  return nullptr;
}

aarch64::Domain Domain::own() const {
  constexpr uint16_t kNumber = 1;
  return aarch64::domain_of(table_.root(), kNumber);
}

/// The TLB must not keep entries from before a restart of the sketch.
void Domain::enter() const {
  asm volatile("dsb ishst" ::: "memory");  // completes core 0's writes to the table
  Board::Port::enter_domain(own());
  aarch64::Level::forget_translations();
}

size_t Domain::stack_used(const port::Stack& stack) {
  const auto* words = static_cast<const uint64_t*>(stack.base);
  const size_t count = stack.size / sizeof *words;
  size_t untouched = 0;
  while (untouched < count && words[untouched] == 0) ++untouched;
  return (count - untouched) * sizeof *words;
}

void Domain::run(uint64_t entry, uint64_t argument, const port::Stack& stack) const {
  System::Thread& self = System::self();
  const uint64_t storage = storage_of(stack);
  self.context.thread_storage = storage;
  asm volatile("msr tpidr_el0, %0" ::"r"(storage));
  const port::Stack& own = kernel_stacks[self.id];
  hocket_enter_user(entry, argument, storage - sketch::kLockRecordBelow,
                    static_cast<char*>(own.base) + own.size);
}

port::Stack Domain::allocate_stack(size_t bytes) {
  // The thread-local variables are part of the stack, but must leave some of it.
  constexpr size_t kLeastBesides = 2048;
  const size_t size = larger<size_t>(bytes, header_->tls_size + kLeastBesides);
  const unsigned number = stacks_.allocate(size, memory::frames());
  if (number == sketch::UserStacks::kNone) return {nullptr, 0};
  const sketch::UserStack& stack = stacks_[number];
  clear(memory::frames().at<char>(stack.physical), stack.size);
  if (!map(stack.begin, stack.physical, stack.size, Access::UserData)) return {nullptr, 0};
  return {reinterpret_cast<void*>(stack.begin), stack.size};
}

port::Stack Board::allocate_stack(runtime::Program& program, size_t bytes) {
  return static_cast<Domain&>(program).allocate_stack(bytes);
}

Board::Port::Domain Board::domain_of(const runtime::Program& program) {
  return static_cast<const Domain&>(program).own();
}

port::Stack Board::thread_stack(const port::Stack&, uint16_t thread) {
  port::Stack& stack = kernel_stacks[thread];
  stack = memory::kernel_stack(kKernelStack);
  if (stack.base == nullptr) machine::Board::halt("no memory for the kernel's stacks");
  return stack;
}

}  // namespace hocket
