// The lists of system calls (see calls.h). A processor that lacks a call lacks its line.
#include "simulation/confined/calls.h"

#include <sys/syscall.h>

namespace hocket::confined {
namespace {

constexpr const char* kProcess = "tried to begin a process of this computer";
constexpr const char* kProgram = "tried to start a program of this computer";
constexpr const char* kNetwork = "tried to use the network of this computer";
constexpr const char* kFile = "tried to open a file of this computer";
constexpr const char* kFolder = "tried to change files of this computer";
constexpr const char* kOthers = "tried to reach other programs of this computer";
constexpr const char* kLimits = "tried to change limits of this computer's programs";
constexpr const char* kOutlive = "tried to outlive the command that has started it";
constexpr const char* kUnseen = "tried to hide what it tries";

constexpr int kAllowed[] = {
    // memory
    SYS_brk,
    SYS_mmap,
    SYS_munmap,
    SYS_mprotect,
    SYS_mremap,
    SYS_madvise,
    SYS_mincore,
    SYS_msync,
    // open files; the launcher restricts which files may be opened (files.h)
    SYS_openat,
    SYS_read,
    SYS_write,
    SYS_readv,
    SYS_writev,
    SYS_pread64,
    SYS_pwrite64,
    SYS_lseek,
    SYS_close,
    SYS_fstat,
    SYS_newfstatat,
    SYS_statx,
    SYS_faccessat,
    SYS_faccessat2,
    SYS_readlinkat,
    SYS_fsync,
    SYS_fdatasync,
    SYS_ftruncate,
    SYS_dup,
    SYS_dup3,
    SYS_getcwd,
    SYS_ppoll,
    SYS_pselect6,
    // time
    SYS_clock_gettime,
    SYS_clock_getres,
    SYS_clock_nanosleep,
    SYS_nanosleep,
    SYS_gettimeofday,
    SYS_setitimer,
    SYS_getitimer,
    SYS_times,
    SYS_getrusage,
    // signals and threads of its own
    SYS_rt_sigaction,
    SYS_rt_sigprocmask,
    SYS_rt_sigreturn,
    SYS_sigaltstack,
    SYS_restart_syscall,
    SYS_futex,
    SYS_set_robust_list,
    SYS_set_tid_address,
    SYS_rseq,
    SYS_sched_yield,
    SYS_sched_getaffinity,
    // the start and the end of a program, and information about itself
    SYS_execve,
    SYS_exit,
    SYS_exit_group,
    SYS_getpid,
    SYS_gettid,
    SYS_getppid,
    SYS_getuid,
    SYS_geteuid,
    SYS_getgid,
    SYS_getegid,
    SYS_uname,
    SYS_getrandom,
    SYS_seccomp,
#if defined(__x86_64__)
    SYS_arch_prctl,
    SYS_open,
    SYS_access,
    SYS_stat,
    SYS_lstat,
    SYS_readlink,
    SYS_poll,
    SYS_select,
    SYS_dup2,
    SYS_time,
    SYS_getrlimit,
#endif
};

constexpr Attempt kAttempts[] = {
    {SYS_clone, "clone", kProcess},
    {SYS_clone3, "clone3", kProcess},
    {SYS_execveat, "execveat", kProgram},
    {SYS_socket, "socket", kNetwork},
    {SYS_socketpair, "socketpair", kNetwork},
    {SYS_bind, "bind", kNetwork},
    {SYS_connect, "connect", kNetwork},
    {SYS_listen, "listen", kNetwork},
    {SYS_accept, "accept", kNetwork},
    {SYS_accept4, "accept4", kNetwork},
    {SYS_sendto, "sendto", kNetwork},
    {SYS_sendmsg, "sendmsg", kNetwork},
    {SYS_recvfrom, "recvfrom", kNetwork},
    {SYS_recvmsg, "recvmsg", kNetwork},
    {SYS_mkdirat, "mkdir", kFolder},
    {SYS_mknodat, "mknod", kFolder},
    {SYS_unlinkat, "unlink", kFolder},
    {SYS_renameat2, "rename", kFolder},
    {SYS_linkat, "link", kFolder},
    {SYS_symlinkat, "symlink", kFolder},
    {SYS_truncate, "truncate", kFolder},
    {SYS_fchmod, "fchmod", kFolder},
    {SYS_fchmodat, "chmod", kFolder},
    {SYS_fchownat, "chown", kFolder},
    {SYS_utimensat, "utimensat", kFolder},
    {SYS_chdir, "chdir", kFolder},
    {SYS_mount, "mount", kFolder},
    {SYS_chroot, "chroot", kFolder},
    {SYS_kill, "kill", kOthers},
    {SYS_tkill, "tkill", kOthers},
    {SYS_rt_sigqueueinfo, "sigqueue", kOthers},
    {SYS_ptrace, "ptrace", kOthers},
    {SYS_process_vm_readv, "process_vm_readv", kOthers},
    {SYS_process_vm_writev, "process_vm_writev", kOthers},
    {SYS_setpgid, "setpgid", kOthers},
    {SYS_setsid, "setsid", kOthers},
    {SYS_setpriority, "setpriority", kOthers},
    {SYS_sched_setscheduler, "sched_setscheduler", kOthers},
    {SYS_reboot, "reboot", kOthers},
#if defined(__x86_64__)
    {SYS_fork, "fork", kProcess},
    {SYS_vfork, "vfork", kProcess},
    {SYS_mkdir, "mkdir", kFolder},
    {SYS_rmdir, "rmdir", kFolder},
    {SYS_mknod, "mknod", kFolder},
    {SYS_unlink, "unlink", kFolder},
    {SYS_rename, "rename", kFolder},
    {SYS_renameat, "rename", kFolder},
    {SYS_link, "link", kFolder},
    {SYS_symlink, "symlink", kFolder},
    {SYS_chmod, "chmod", kFolder},
    {SYS_chown, "chown", kFolder},
#endif
};

// Attempts only with certain arguments (filter.cpp); otherwise allowed.
constexpr Attempt kAttemptsByArgument[] = {
    {SYS_tgkill, "tgkill", kOthers},      // except abort()'s own
    {SYS_prlimit64, "prlimit", kLimits},  // setting one, or reading another program's
    {SYS_fcntl, "fcntl", kOthers},        // a signal to another program when a file is ready
    {SYS_prctl, "prctl", kOutlive},      {SYS_rt_sigaction, "sigaction", kUnseen},
};

constexpr Attempt kLaterAttempts[] = {
    {SYS_openat, "open", kFile, 1},      {SYS_openat2, "openat2", kFile, 1},
    {SYS_execve, "execve", kProgram, 0},
#if defined(__x86_64__)
    {SYS_open, "open", kFile, 0},        {SYS_creat, "creat", kFile, 0},
#endif
};

}  // namespace

std::span<const int> allowed_calls() {
  return kAllowed;
}

std::span<const Attempt> attempts() {
  return kAttempts;
}

std::span<const Attempt> later_attempts() {
  return kLaterAttempts;
}

const Attempt* attempt_of(int number) {
  for (const std::span<const Attempt> all :
       {attempts(), later_attempts(), std::span<const Attempt>(kAttemptsByArgument)}) {
    for (const Attempt& each : all) {
      if (each.number == number) return &each;
    }
  }
  return nullptr;
}

}  // namespace hocket::confined
