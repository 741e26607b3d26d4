#include "simulation/confined/filter.h"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <csignal>
#include <cstddef>
#include <span>

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
constexpr uint32_t argument_at(unsigned number) {
  return offsetof(seccomp_data, args) + sizeof(uint64_t) * number;
}
constexpr uint32_t kSiteAt = offsetof(seccomp_data, instruction_pointer);
constexpr uint32_t kHigh = 4;  // the upper half of a word of 64 bits; little-endian

sock_filter load(uint32_t at) {
  return BPF_STMT(BPF_LD | BPF_W | BPF_ABS, at);
}
sock_filter end(uint32_t what) {
  return BPF_STMT(BPF_RET | BPF_K, what);
}
/// Continues with the next instruction if the word is `value`; otherwise skips `skipped`
/// instructions.
sock_filter is(uint32_t value, uint8_t skipped = 1) {
  return BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, skipped);
}

/// Rejects calls by another processor's convention, because their numbers differ.
void check_processor(Filter& to) {
  to.push_back(load(kProcessorAt));
  to.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, kProcessor, 1, 0));
  to.push_back(end(SECCOMP_RET_KILL_PROCESS));
}

struct Word {
  uint32_t at;
  uint32_t value;
};

// SAFETY of the jumps in these two functions: they follow the load of the call's number, and
// continue after themselves if it is another number.

/// Allows the call if all these words of its arguments match.
void allow_with(Filter& to, int number, std::span<const Word> words) {
  const auto count = static_cast<uint8_t>(words.size());
  to.push_back(is(static_cast<uint32_t>(number), static_cast<uint8_t>(2 * count + 2)));
  for (uint8_t i = 0; i < count; ++i) {
    to.push_back(load(words[i].at));
    to.push_back(is(words[i].value, static_cast<uint8_t>(2 * (count - i) - 1)));
  }
  to.push_back(end(SECCOMP_RET_ALLOW));
  to.push_back(end(SECCOMP_RET_TRAP));
}

/// Allows the call unless this word of its arguments is one of the values.
void allow_without(Filter& to, int number, uint32_t at, std::span<const uint32_t> values) {
  const auto count = static_cast<uint8_t>(values.size());
  to.push_back(is(static_cast<uint32_t>(number), static_cast<uint8_t>(2 * count + 2)));
  to.push_back(load(at));
  for (const uint32_t value : values) {
    to.push_back(is(value));
    to.push_back(end(SECCOMP_RET_TRAP));
  }
  to.push_back(end(SECCOMP_RET_ALLOW));
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
  // Only abort(). Limits may be read but not set: root could raise them again, and any user could
  // change another program's.
  const Word own_end[] = {{argument_at(0), static_cast<uint32_t>(process)},
                          {argument_at(2), SIGABRT}};
  allow_with(made, SYS_tgkill, own_end);
  const Word own_limit[] = {{argument_at(0), 0}, {argument_at(2), 0}, {argument_at(2) + kHigh, 0}};
  allow_with(made, SYS_prlimit64, own_limit);
  constexpr uint32_t kOwners[] = {F_SETOWN, F_SETSIG, F_SETOWN_EX};
  allow_without(made, SYS_fcntl, argument_at(1), kOwners);
  constexpr uint32_t kDeath[] = {PR_SET_PDEATHSIG};
  allow_without(made, SYS_prctl, argument_at(0), kDeath);
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
  constexpr uint32_t kRefusals[] = {SIGSYS};  // the handler names the attempt
  allow_without(made, SYS_rt_sigaction, argument_at(0), kRefusals);
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
  // The program has no secrets of others in its memory, so speculation need not be slowed down.
  return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW, &program) ==
         0;
}

}  // namespace hocket::confined
