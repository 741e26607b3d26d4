#include "simulation/confined/own_call.h"

#include <fcntl.h>
#include <sys/syscall.h>

#include <cerrno>

// Numbers and registers: syscall(2), «Architecture calling conventions».
#if defined(__x86_64__)
asm(R"(
  .pushsection .text
  .type hocket_own_call, @function
hocket_own_call:
  movq (%rdi), %rax
  movq 16(%rdi), %rsi
  movq 24(%rdi), %rdx
  movq 32(%rdi), %r10
  movq 40(%rdi), %r8
  movq 48(%rdi), %r9
  movq 8(%rdi), %rdi
  syscall
hocket_own_site:
  ret
  .size hocket_own_call, . - hocket_own_call
  .popsection
)");
#elif defined(__aarch64__)
asm(R"(
  .pushsection .text
  .type hocket_own_call, %function
hocket_own_call:
  ldr x8, [x0]
  ldp x4, x5, [x0, 40]
  ldp x2, x3, [x0, 24]
  ldp x0, x1, [x0, 8]
  svc 0
hocket_own_site:
  ret
  .size hocket_own_call, . - hocket_own_call
  .popsection
)");
#endif

extern "C" {
long hocket_own_call(const hocket::confined::SystemCall* call);
extern const char hocket_own_site;
}

namespace hocket::confined {

std::uintptr_t own_site() {
  return reinterpret_cast<std::uintptr_t>(&hocket_own_site);
}

long call_ourselves(const SystemCall& call) {
  return hocket_own_call(&call);
}

const char* readable_text(long address) {
  // The system call reads the text to its end and reports an unreadable address.
  const SystemCall ask{SYS_faccessat, {AT_FDCWD, address, 0}};
  const long answer = call_ourselves(ask);
  return answer == -EFAULT || answer == -ENAMETOOLONG ? nullptr
                                                      : reinterpret_cast<const char*>(address);
}

}  // namespace hocket::confined
