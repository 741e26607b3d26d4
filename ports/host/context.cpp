// Stack switching for x86-64 and AArch64 hosts.
#include "ports/host/context.h"

#include <cstdint>

#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
#define HOCKET_HOST_ASAN 1
#include <sanitizer/common_interface_defs.h>
#else
#define HOCKET_HOST_ASAN 0
#endif

// Pushes the registers that the calling convention preserves, stores the stack pointer through the
// first argument, takes the second as the new stack pointer, pops, and returns there.
extern "C" void hocket_host_switch(void** save_stack_pointer, void* load_stack_pointer);
// The first return address of a new context: uses what context_init left in two preserved
// registers.
extern "C" void hocket_host_first_entry();
// Calls the second argument with the third, on the stack whose top is the first. Has unwinding
// information, so that an exception can pass.
extern "C" void hocket_host_call_on(void* top, void (*function)(void*), void* argument);

#if defined(__x86_64__)
// SAFETY: System V AMD64 ABI, section 3.2.1: rbx, rbp and r12 to r15 belong to the caller. MXCSR's
// control bits and the x87 control word are not saved, because all threads share them.
asm(R"(
.text
.globl hocket_host_switch
.type hocket_host_switch, @function
hocket_host_switch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size hocket_host_switch, .-hocket_host_switch

.globl hocket_host_first_entry
.type hocket_host_first_entry, @function
hocket_host_first_entry:
  xorl %ebp, %ebp
  movq %r13, %rdi
  callq *%r12
  ud2
.size hocket_host_first_entry, .-hocket_host_first_entry

.globl hocket_host_call_on
.type hocket_host_call_on, @function
hocket_host_call_on:
  .cfi_startproc
  pushq %rbp
  .cfi_def_cfa_offset 16
  .cfi_offset %rbp, -16
  movq %rsp, %rbp
  .cfi_def_cfa_register %rbp
  movq %rdi, %rsp
  movq %rdx, %rdi
  callq *%rsi
  movq %rbp, %rsp
  popq %rbp
  .cfi_def_cfa %rsp, 8
  ret
  .cfi_endproc
.size hocket_host_call_on, .-hocket_host_call_on
)");
namespace {
enum Frame : unsigned { kR15, kR14, kArgument, kEntry, kRbx, kRbp, kReturn, kFrameWords };
}
#elif defined(__aarch64__)
// SAFETY: AAPCS64, section 6.1.1: x19 to x29, d8 to d15 and the link register belong to the caller.
asm(R"(
.text
.globl hocket_host_switch
.type hocket_host_switch, %function
hocket_host_switch:
  sub sp, sp, #160
  stp x19, x20, [sp, #0]
  stp x21, x22, [sp, #16]
  stp x23, x24, [sp, #32]
  stp x25, x26, [sp, #48]
  stp x27, x28, [sp, #64]
  stp x29, x30, [sp, #80]
  stp d8, d9, [sp, #96]
  stp d10, d11, [sp, #112]
  stp d12, d13, [sp, #128]
  stp d14, d15, [sp, #144]
  mov x9, sp
  str x9, [x0]
  mov sp, x1
  ldp x19, x20, [sp, #0]
  ldp x21, x22, [sp, #16]
  ldp x23, x24, [sp, #32]
  ldp x25, x26, [sp, #48]
  ldp x27, x28, [sp, #64]
  ldp x29, x30, [sp, #80]
  ldp d8, d9, [sp, #96]
  ldp d10, d11, [sp, #112]
  ldp d12, d13, [sp, #128]
  ldp d14, d15, [sp, #144]
  add sp, sp, #160
  ret
.size hocket_host_switch, .-hocket_host_switch

.globl hocket_host_first_entry
.type hocket_host_first_entry, %function
hocket_host_first_entry:
  mov x0, x20
  blr x19
  brk #0
.size hocket_host_first_entry, .-hocket_host_first_entry

.globl hocket_host_call_on
.type hocket_host_call_on, %function
hocket_host_call_on:
  .cfi_startproc
  stp x29, x30, [sp, #-16]!
  .cfi_def_cfa_offset 16
  .cfi_offset x29, -16
  .cfi_offset x30, -8
  mov x29, sp
  .cfi_def_cfa_register x29
  mov sp, x0
  mov x0, x2
  blr x1
  mov sp, x29
  .cfi_def_cfa_register sp
  ldp x29, x30, [sp], #16
  .cfi_def_cfa_offset 0
  ret
  .cfi_endproc
.size hocket_host_call_on, .-hocket_host_call_on
)");
namespace {
enum Frame : unsigned { kEntry, kArgument, kReturn = 11, kFrameWords = 20 };
}
#else
#error "the host port switches stacks on x86-64 and AArch64 only"
#endif

namespace hocket::host {

#if HOCKET_HOST_ASAN
namespace {
Context* switched_from = nullptr;

void finish_switch(Context* self) {
  const void* base = nullptr;
  std::size_t size = 0;
  __sanitizer_finish_switch_fiber(self == nullptr ? nullptr : self->fake_stack, &base, &size);
  if (switched_from != nullptr && switched_from->stack_base == nullptr) {
    switched_from->stack_base = base;  // the program's own stack: its bounds become known only here
    switched_from->stack_size = size;
  }
}

struct Start {
  Entry entry;
  void* argument;
};

void first_entry(void* argument) {
  finish_switch(nullptr);
  const Start start = *static_cast<Start*>(argument);
  start.entry(start.argument);
}

/// A call on another stack, announced to AddressSanitizer.
struct AnnouncedCall {
  void (*function)(void*);
  void* argument;
  const void* callers_base = nullptr;
  std::size_t callers_size = 0;

  /// While this object lives, execution is on the other stack. It may end by an exception.
  struct There {
    AnnouncedCall& call;
    explicit There(AnnouncedCall& announced) : call(announced) {
      __sanitizer_finish_switch_fiber(nullptr, &call.callers_base, &call.callers_size);
    }
    ~There() { __sanitizer_start_switch_fiber(nullptr, call.callers_base, call.callers_size); }
    There(const There&) = delete;
    There& operator=(const There&) = delete;
  };
  struct Back {
    void* fake_stack = nullptr;
    Back() = default;
    ~Back() { __sanitizer_finish_switch_fiber(fake_stack, nullptr, nullptr); }
    Back(const Back&) = delete;
    Back& operator=(const Back&) = delete;
  };
  static void run(void* self) {
    auto& call = *static_cast<AnnouncedCall*>(self);
    const There there(call);
    call.function(call.argument);
  }
};
}  // namespace
#endif

void context_init(Context& context, void* stack_base, std::size_t stack_size, Entry entry,
                  void* argument) {
  auto top = reinterpret_cast<std::uintptr_t>(stack_base) + stack_size;
#if HOCKET_HOST_ASAN
  top -= sizeof(Start);
  auto* start = reinterpret_cast<Start*>(top & ~std::uintptr_t{15});
  top = reinterpret_cast<std::uintptr_t>(start);
  *start = {entry, argument};
  entry = &first_entry;
  argument = start;
#endif
  top &= ~std::uintptr_t{15};
  // The first entry starts with the stack pointer at `top`, aligned as both conventions require
  // before a call.
  auto* frame = reinterpret_cast<std::uintptr_t*>(top) - kFrameWords;
  for (unsigned i = 0; i < kFrameWords; ++i) frame[i] = 0;
  frame[kEntry] = reinterpret_cast<std::uintptr_t>(entry);
  frame[kArgument] = reinterpret_cast<std::uintptr_t>(argument);
  frame[kReturn] = reinterpret_cast<std::uintptr_t>(&hocket_host_first_entry);
  context = Context{frame, stack_base, stack_size, nullptr, false};
}

void context_switch(Context& from, const Context& to) {
#if HOCKET_HOST_ASAN
  switched_from = &from;
  __sanitizer_start_switch_fiber(&from.fake_stack, to.stack_base, to.stack_size);
#endif
  hocket_host_switch(&from.stack_pointer, to.stack_pointer);
#if HOCKET_HOST_ASAN
  finish_switch(&from);
#endif
}

void call_on_stack(void* stack_base, std::size_t stack_size, void (*function)(void*),
                   void* argument) {
  const auto top =
      (reinterpret_cast<std::uintptr_t>(stack_base) + stack_size) & ~std::uintptr_t{15};
#if HOCKET_HOST_ASAN
  AnnouncedCall call{function, argument};
  AnnouncedCall::Back back;
  __sanitizer_start_switch_fiber(&back.fake_stack, stack_base, stack_size);
  function = &AnnouncedCall::run;
  argument = &call;
#endif
  hocket_host_call_on(reinterpret_cast<void*>(top), function, argument);
}

}  // namespace hocket::host
