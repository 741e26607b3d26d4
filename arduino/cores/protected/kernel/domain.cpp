// A sketch's protection domain (see domain.h).
#include "arduino/cores/protected/kernel/domain.h"

#include "arduino/cores/protected/kernel/check.h"
#include "arduino/cores/protected/sketch/lock_record.h"
#include "kernel/base/construct.h"

namespace hocket {
namespace {

port::Stack kernel_stacks[Board::kMaxLoops + 1];  // indexed by thread number

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

/// Maps a part of the image in place.
bool Domain::share_part(const char* image, uint64_t begin, uint64_t end, bool execute) {
  if (begin == end) return true;
  const char* const part = image + (begin - sketch::kBase);
  return space_.share(begin, part, sketch::page_up(end) - begin, execute);
}

/// Allocates data, bss and heap: zeros, except for the image's data at the beginning.
bool Domain::make_data(const char* image, const sketch::Header& h) {
  const uint64_t size = sketch::page_up(h.heap_end) - h.data_begin;
  if (size == 0) return true;
  void* const data = space_.give(h.data_begin, size);
  if (data == nullptr) return false;
  __builtin_memcpy(data, image + (h.data_begin - sketch::kBase), h.data_end - h.data_begin);
  return true;
}

const char* Domain::load(const char* begin, const char* end) {
  const auto size = static_cast<uint64_t>(end - begin);
  if (size < sizeof(sketch::Header)) return "this image carries no sketch";
  const auto& h = *reinterpret_cast<const sketch::Header*>(begin);
  if (const char* error = sketch::check(&h, size)) return error;
  const bool mapped = share_part(begin, sketch::kBase, h.text_end, true) &&
                      share_part(begin, h.rodata_begin, h.rodata_end, false) && make_data(begin, h);
  if (!mapped) return "there is not enough memory for the sketch's variables and heap";
  if ((h.flags & sketch::kTrustedPinAccess) != 0 &&
      !space_.share_device(sketch::kTrustedPins, machine::Board::kTrustedPins)) {
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

void Domain::enter() const {
  space_.enter<Board::Port>();
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
  Processor::set_storage(storage);
  const port::Stack& own = kernel_stacks[self.id];
  Processor::enter_user(entry, argument, storage - sketch::kLockRecordBelow,
                        static_cast<char*>(own.base) + own.size);
}

port::Stack Domain::allocate_stack(size_t bytes) {
  // The thread-local variables are part of the stack, but must leave some of it.
  constexpr size_t kLeastBesides = 2048;
  const size_t size = larger<size_t>(bytes, header_->tls_size + kLeastBesides);
  const sketch::UserStack stack = stacks_.next(size);
  if (stack.size == 0 || space_.give(stack.begin, stack.size) == nullptr) return {nullptr, 0};
  stacks_.add(stack);
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
  stack = Processor::kernel_stack(kKernelStack);
  if (stack.base == nullptr) machine::Board::halt("no memory for the kernel's stacks");
  return stack;
}

}  // namespace hocket
