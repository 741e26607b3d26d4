// The emulator as a child process: see child.h.
#include "simulation/peer/child.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "simulation/program/options.h"

namespace hocket::world {
namespace {

using program::UsageError;

struct Pipe {
  Descriptor read, write;
  Pipe() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) throw UsageError{"this computer has no pipes left"};
    read = Descriptor(ends[0]);
    write = Descriptor(ends[1]);
  }
};

/// In the child, between fork and exec, where only system calls are allowed. Reports an error by
/// its errno on `failed`.
[[noreturn]] void become(char* const* words, int output, int failed, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);  // the parent has already exited
  setpgid(0, 0);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  std::signal(SIGPIPE, SIG_DFL);
  const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (nothing >= 0) dup2(nothing, STDIN_FILENO);
  dup2(output, STDOUT_FILENO);
  dup2(output, STDERR_FILENO);
  execvp(words[0], words);
  const int why = errno;
  if (write(failed, &why, sizeof why) < 0) _exit(126);
  _exit(127);
}

}  // namespace

Child::Child(const std::vector<std::string>& command, const std::string& missing) {
  std::vector<std::string> kept = command;
  std::vector<char*> words;
  words.reserve(kept.size() + 1);
  for (std::string& word : kept) words.push_back(word.data());
  words.push_back(nullptr);
  Pipe output, failed;
  const pid_t parent = getpid();
  process_ = fork();
  if (process_ < 0)
    throw UsageError{std::string("cannot start a process: ") + std::strerror(errno)};
  if (process_ == 0) become(words.data(), output.write.get(), failed.write.get(), parent);
  ended_ = Descriptor(static_cast<int>(syscall(SYS_pidfd_open, process_, 0)));
  failed.write = Descriptor();  // closes our end; the child's end is closed by a successful exec
  int why = 0;
  if (read(failed.read.get(), &why, sizeof why) == sizeof why) {
    waitpid(process_, nullptr, 0);
    throw UsageError{why == ENOENT ? command[0] + " is not there: " + missing
                                   : "cannot start " + command[0] + ": " + std::strerror(why)};
  }
  output_ = std::move(output.read);
  fcntl(output_.get(), F_SETFL, O_NONBLOCK);
}

Child::~Child() {
  kill();
}

void Child::read_output() {
  constexpr size_t kKept = 8 * 1024;
  char bytes[4 * 1024];
  for (ssize_t count; (count = read(output(), bytes, sizeof bytes)) > 0;) {
    text_.append(bytes, static_cast<size_t>(count));
    if (text_.size() > 2 * kKept) text_.erase(0, text_.size() - kKept);
  }
}

std::vector<std::string> Child::last_words() const {
  constexpr size_t kMostLines = 20;
  std::vector<std::string> lines;
  for (size_t begin = 0; begin < text_.size();) {
    const size_t end = std::min(text_.find('\n', begin), text_.size());
    std::string line = text_.substr(begin, end - begin);
    if (line.ends_with('\r')) line.pop_back();
    if (!line.empty()) lines.push_back(line);
    begin = end + 1;
  }
  if (lines.size() > kMostLines) lines.erase(lines.begin(), lines.end() - kMostLines);
  return lines;
}

std::string Child::wait(int milliseconds) {
  if (!how_.empty()) return how_;
  pollfd watched{.fd = ended(), .events = POLLIN, .revents = 0};
  if (poll(&watched, 1, milliseconds) <= 0) return "";
  int status = 0;
  waitpid(process_, &status, 0);
  read_output();
  how_ = WIFSIGNALED(status) ? std::string("by ") + strsignal(WTERMSIG(status))
                             : "with status " + std::to_string(WEXITSTATUS(status));
  return how_;
}

void Child::kill() {
  if (process_ < 0 || !how_.empty()) return;
  ::kill(process_, SIGKILL);
  constexpr int kForEver = -1;
  wait(kForEver);
}

}  // namespace hocket::world
