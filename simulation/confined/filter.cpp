#include "simulation/confined/filter.h"

#include <linux/audit.h>
#include <linux/seccomp.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstddef>

#include "simulation/confined/calls.h"

namespace hocket::confined {
namespace {

#if defined(__x86_64__)
constexpr uint32_t kProcessor = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr uint32_t kProcessor = AUDIT_ARCH_AARCH64;
#endif

constexpr uint32_t kNumberAt = offsetof(seccomp_data, nr);
constexpr uint32_t kProcessorAt = offsetof(seccomp_data, arch);
constexpr uint32_t kFirstArgumentAt = offsetof(seccomp_data, args);
constexpr uint32_t kSiteAt = offsetof(seccomp_data, instruction_pointer);
constexpr uint32_t kHigh = 4;  // the upper half of a word of 64 bits; little-endian

sock_filter load(uint32_t at) {
  return BPF_STMT(BPF_LD | BPF_W | BPF_ABS, at);
}
sock_filter end(uint32_t what) {
  return BPF_STMT(BPF_RET | BPF_K, what);
}
/// Goes on with the next instruction when the word is `value`, else behind `skipped` more.
sock_filter is(uint32_t value, uint8_t skipped = 1) {
  return BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, skipped);
}

/// Calls of another processor's convention have other numbers: none of them is let through.
void check_processor(Filter& to) {
  to.push_back(load(kProcessorAt));
  to.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, kProcessor, 1, 0));
  to.push_back(end(SECCOMP_RET_KILL_PROCESS));
}

}  // namespace

Filter filter_of_program(int process) {
  Filter made;
  check_processor(made);
  made.push_back(load(kNumberAt));
  for (const int number : allowed_calls()) {
    made.push_back(is(static_cast<uint32_t>(number)));
    made.push_back(end(SECCOMP_RET_ALLOW));
  }
  // SAFETY of the jumps: `is` skips what belongs to it; the word is the call's number but here.
  made.push_back(is(SYS_tgkill, 4));
  made.push_back(load(kFirstArgumentAt));
  made.push_back(is(static_cast<uint32_t>(process)));
  made.push_back(end(SECCOMP_RET_ALLOW));
  made.push_back(end(SECCOMP_RET_TRAP));
  for (const Attempt& each : attempts()) {
    made.push_back(is(static_cast<uint32_t>(each.number)));
    made.push_back(end(SECCOMP_RET_TRAP));
  }
  made.push_back(end(SECCOMP_RET_ERRNO | 38));  // ENOSYS
  return made;
}

Filter filter_of_running(std::uintptr_t site) {
  Filter made;
  check_processor(made);
  made.push_back(load(kSiteAt));
  made.push_back(is(static_cast<uint32_t>(site), 3));
  made.push_back(load(kSiteAt + kHigh));
  made.push_back(is(static_cast<uint32_t>(uint64_t{site} >> 32)));
  made.push_back(end(SECCOMP_RET_ALLOW));
  made.push_back(load(kNumberAt));
  for (const Attempt& each : later_attempts()) {
    made.push_back(is(static_cast<uint32_t>(each.number)));
    made.push_back(end(SECCOMP_RET_TRAP));
  }
  made.push_back(end(SECCOMP_RET_ALLOW));
  return made;
}

bool apply(const Filter& filter) {
  sock_fprog program{.len = static_cast<unsigned short>(filter.size()),
                     .filter = const_cast<sock_filter*>(filter.data())};
  // The program computes beside its own secrets alone: no need to slow its speculation down.
  return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW, &program) ==
         0;
}

}  // namespace hocket::confined
