// The sketch's protection domain (see domain.h).
#include "arduino/cores/aarch64/kernel/domain.h"

#include "arduino/cores/aarch64/kernel/check.h"
#include "arduino/cores/aarch64/kernel/memory_map.h"
#include "arduino/cores/aarch64/sketch/lock_record.h"
#include "arduino/runtime/program.h"
#include "kernel/base/construct.h"
#include "ports/aarch64/boot.h"

extern char hocket_sketch_begin[], hocket_sketch_end[];
extern "C" [[noreturn]] void hocket_enter_user(uint64_t entry, uint64_t argument, uint64_t stack,
                                               void* kernel_stack);

namespace hocket {
namespace domain {
namespace {

using aarch64::Access;
using aarch64::kPageSize;
using aarch64::MapResult;

aarch64::PageTable table{aarch64::Half::Low};
aarch64::UserStacks user_stacks;
const sketch::Header* the_header = nullptr;
alignas(aarch64::UserMemory) unsigned char memory_room[sizeof(aarch64::UserMemory)];
const aarch64::UserMemory* the_memory = nullptr;
port::Stack kernel_stacks[Board::kMaxLoops + 1];

bool map(uint64_t address, uint64_t physical, uint64_t size, Access access) {
  if (size == 0) return true;
  return table.map(memory::frames(), address, physical, size, access) == MapResult::Done;
}

/// A part of the image as it lies there.
bool map_part(uint64_t begin, uint64_t end, Access access) {
  const char* part = hocket_sketch_begin + (begin - sketch::kBase);
  return map(begin, aarch64::physical(part), sketch::page_up(end) - begin, access);
}

/// Pages of zeros. DC ZVA writes a block of the size that DCZID_EL0 names (DDI 0487, C5.3.9).
void clear(void* begin, size_t size) {
  uint64_t id;
  asm("mrs %0, dczid_el0" : "=r"(id));
  const size_t step = size_t{4} << (id & 15);
  for (auto* at = static_cast<char*>(begin); at < static_cast<char*>(begin) + size; at += step) {
    asm volatile("dc zva, %0" ::"r"(at) : "memory");
  }
}

/// Data, bss and heap: zeros, with the image's bytes in front.
bool make_data(const sketch::Header& h) {
  const uint64_t size = sketch::page_up(h.heap_end) - h.data_begin;
  if (size == 0) return true;
  const uint64_t physical = memory::frames().take(size / kPageSize);
  if (physical == aarch64::kNoAddress) return false;
  char* const data = memory::frames().at<char>(physical);
  clear(data, size);
  __builtin_memcpy(data, hocket_sketch_begin + (h.data_begin - sketch::kBase),
                   h.data_end - h.data_begin);
  return map(h.data_begin, physical, size, Access::UserData);
}

}  // namespace

const char* load() {
  const auto size = static_cast<uint64_t>(hocket_sketch_end - hocket_sketch_begin);
  if (size < sizeof(sketch::Header)) return "this image carries no sketch";
  const auto& h = *reinterpret_cast<const sketch::Header*>(hocket_sketch_begin);
  if (const char* error = sketch::check(&h, size)) return error;
  const bool mapped = map_part(sketch::kBase, h.text_end, Access::UserText) &&
                      map_part(h.rodata_begin, h.rodata_end, Access::UserRead) && make_data(h);
  if (!mapped) return "there is not enough memory for the sketch's variables and heap";
  if ((h.flags & sketch::kTrustedPinAccess) != 0 &&
      !map(sketch::kTrustedPins, machine::Board::kTrustedPins, kPageSize, Access::UserDevice)) {
    return "the board's pin registers cannot be mapped";
  }
  the_header = &h;
  detail::data_begin = h.data_begin;
  detail::data_end = h.heap_end & ~uint64_t{7};
  the_memory = construct<aarch64::UserMemory>(memory_room, h, user_stacks);
  return nullptr;
}

aarch64::Domain domain() {
  constexpr uint16_t kNumber = 1;
  return aarch64::domain_of(table.root(), kNumber);
}

/// Nothing of an earlier start of the sketch stays in the TLB.
void enter() {
  asm volatile("dsb ishst" ::: "memory");  // what core 0 has written into the table
  Board::Port::enter_domain(domain());
  asm volatile("tlbi vmalle1\n dsb nsh\n isb" ::: "memory");
}

const sketch::Header& header() {
  return *the_header;
}
const aarch64::UserMemory& memory() {
  return *the_memory;
}
const aarch64::UserStacks& stacks() {
  return user_stacks;
}

size_t stack_used(const port::Stack& stack) {
  const auto* words = static_cast<const uint64_t*>(stack.base);
  const size_t count = stack.size / sizeof *words;
  size_t untouched = 0;
  while (untouched < count && words[untouched] == 0) ++untouched;
  return (count - untouched) * sizeof *words;
}

void run(uint64_t entry, uint64_t argument, const port::Stack& stack) {
  System::Thread& self = System::self();
  // The thread's own variables lie above its stack, in its pages.
  const uint64_t storage = sketch::page_up(reinterpret_cast<uint64_t>(stack.base) + stack.size) -
                           ((the_header->tls_size + 15) & ~uint64_t{15});
  self.context.thread_storage = storage;
  asm volatile("msr tpidr_el0, %0" ::"r"(storage));
  const port::Stack& own = kernel_stacks[self.id];
  hocket_enter_user(entry, argument, storage - sketch::kLockRecordBelow,
                    static_cast<char*>(own.base) + own.size);
}

}  // namespace domain

port::Stack Board::allocate_stack(size_t bytes) {
  using domain::user_stacks;
  // The thread's own variables are part of the stack; never all of it.
  constexpr size_t kLeastBesides = 2048;
  const size_t size = larger<size_t>(bytes, domain::header().tls_size + kLeastBesides);
  const unsigned number = user_stacks.allocate(size, memory::frames());
  if (number == aarch64::UserStacks::kNone) return {nullptr, 0};
  const aarch64::UserStack& stack = user_stacks[number];
  domain::clear(memory::frames().at<char>(stack.physical), stack.size);
  if (!domain::map(stack.begin, stack.physical, stack.size, aarch64::Access::UserData)) {
    return {nullptr, 0};
  }
  return {reinterpret_cast<void*>(stack.begin), stack.size};
}

Board::Port::Domain Board::sketch_domain() {
  return domain::domain();
}

port::Stack Board::thread_stack(const port::Stack&, uint16_t thread) {
  port::Stack& stack = domain::kernel_stacks[thread];
  stack = memory::kernel_stack(kKernelStack);
  if (stack.base == nullptr) machine::Board::halt("no memory for the kernel's stacks");
  return stack;
}

namespace runtime::program {

const LoopDescriptor* const* loops_begin() {
  return reinterpret_cast<const LoopDescriptor* const*>(domain::header().loops_begin);
}
const LoopDescriptor* const* loops_end() {
  return reinterpret_cast<const LoopDescriptor* const*>(domain::header().loops_end);
}
void (*plain_loop())() {
  return reinterpret_cast<void (*)()>(domain::header().plain_loop);
}
bool uses_spinlocks() {
  return (domain::header().flags & sketch::kUsesSpinlocks) != 0;
}

void enter_setup() {
  domain::run(domain::header().enter_setup, 0, setup_thread_stack());
}

void enter_loop(Loop& loop) {
  domain::run(domain::header().enter_loop, reinterpret_cast<uint64_t>(loop.descriptor->body),
              loop.stack);
}

}  // namespace runtime::program
}  // namespace hocket
