// hocket_confined: starts a program that can access only what it needs of the host computer
// (docs/reference/sim-program.md, "Confined").
//
//   hocket_confined [--read PATH | --write PATH | --folder PATH | --make PATH | --run PATH]...
//                   PROGRAM ARGUMENT...
//
// --folder: existing files in it may be written, and files without a name created. --make: files
// may be created and removed there. --run: programs in that folder may be started. Such a program
// is one of our tools, a compiler, that works on a stranger's source; it is restricted to these
// files, and to nothing else. (The run of the result reports what a computer lacks.)
//
// This program becomes the started one: same process, same signals, same status. If the computer
// lacks a mechanism, it prints one line about it and continues with the others.
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "simulation/confined/calls.h"
#include "simulation/confined/files.h"
#include "simulation/confined/filter.h"

namespace hocket::confined {
namespace {

constexpr int kUsage = 2;
constexpr int kCannotStart = 70;

constexpr rlim_t kGiB = rlim_t{1} << 30;
/// More than any of our runs needs, and less than what harms the computer.
constexpr struct {
  int what;
  rlim_t most;
} kLimits[] = {
    {RLIMIT_AS, 16 * kGiB},  // 255 loops with the largest stacks, mostly never touched
    {RLIMIT_FSIZE, 8 * kGiB},
    {RLIMIT_NOFILE, 256},
    {RLIMIT_CORE, 0},
};

void limit() {
  for (const auto& [what, most] : kLimits) {
    rlimit now{};
    getrlimit(static_cast<__rlimit_resource>(what), &now);
    const rlim_t wanted = now.rlim_max < most ? now.rlim_max : most;
    const rlimit then{.rlim_cur = wanted, .rlim_max = wanted};
    setrlimit(static_cast<__rlimit_resource>(what), &then);
  }
}

void say_missing(const char* what, const char* consequence) {
  std::fprintf(stderr, "hocket: notice: %s: %s: %s\n", what, std::strerror(errno), consequence);
}

std::vector<std::string>* list_of(std::string_view option, Files& files) {
  if (option == "--read") return &files.read;
  if (option == "--write" || option == "--folder") return &files.written;
  if (option == "--make") return &files.made;
  if (option == "--run") return &files.run;
  return nullptr;
}

int start(int count, char** words) {
  Files files;
  int at = 1;
  for (; at < count && std::string_view(words[at]).starts_with("--"); at += 2) {
    const std::string_view option = words[at];
    if (at + 1 == count) return kUsage;
    char* const path = words[at + 1];
    std::vector<std::string>* const list = list_of(option, files);
    if (list == nullptr) return kUsage;
    list->emplace_back(path);
    if (option == "--folder" || option == "--make") setenv("TMPDIR", path, /*overwrite=*/1);
  }
  if (at >= count) return kUsage;
  char** const program = words + at;
  files.program = program[0];
  const bool is_tool = !files.run.empty();
  const bool no_more_rights = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
  const bool kept_from_files = no_more_rights && confine_to(files);
  if (!is_tool) {
    if (!kept_from_files) {
      say_missing("this computer cannot keep the sketch from files (Landlock)",
                  "it can read and write yours");
    }
    limit();
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);  // the program could block any other signal
    setenv(kMark, "1", /*overwrite=*/1);
    if (!no_more_rights || !apply(filter_of_program(getpid()))) {
      say_missing("this computer cannot keep the sketch from its calls (seccomp)",
                  "it can begin processes and use the network");
    }
  }
  execv(program[0], program);
  std::fprintf(stderr, "hocket: %s cannot be started: %s\n", program[0], std::strerror(errno));
  return kCannotStart;
}

}  // namespace
}  // namespace hocket::confined

int main(int count, char** words) {
  const int status = hocket::confined::start(count, words);
  if (status == hocket::confined::kUsage) {
    std::fputs(
        "hocket: use: hocket_confined [--read PATH | --write PATH | --folder PATH | --make PATH | "
        "--run PATH]... PROGRAM ARGUMENT...\n",
        stderr);
  }
  return status;
}
