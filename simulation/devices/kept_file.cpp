// Files that are replaced whole: see kept_file.h. POSIX.1-2017: openat(2), renameat(2), fsync(2);
// flock(2) of Linux.
#include "simulation/devices/kept_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <csignal>
#include <cstring>
#include <filesystem>

#include "simulation/devices/devices.h"

namespace hocket::sim {
namespace {

constexpr useconds_t kBetweenTries = 50'000;
constexpr int kFolder = O_PATH | O_DIRECTORY | O_CLOEXEC;

/// The rest of a path without its first word, which is left in `word`.
std::string cut(const std::string& path, std::string& word) {
  const size_t end = path.find('/');
  word = path.substr(0, end);
  return end == std::string::npos ? "" : path.substr(end + 1);
}

constexpr const char* kUnwritten = "cannot be written";

std::string way_out(int error) {
  switch (error) {
    case ENOSPC:
    case EDQUOT:
      return "free some space, then run again";
    case EFBIG:
      return "raise the limit of a file's size (ulimit -f), then run again";
    default:
      return "name a file in a folder that you can write to";
  }
}

/// 0, or why not all of it was written.
int write_all(int file, std::string_view content) {
  while (!content.empty()) {
    const ssize_t size = ::write(file, content.data(), content.size());
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) return errno;
    content.remove_prefix(static_cast<size_t>(size));
  }
  return 0;
}

}  // namespace

KeptFile::KeptFile(const std::string& named) {
  std::signal(SIGXFSZ, SIG_IGN);  // at a limit of its size write() says so
  const size_t end = named.find('\0');
  if (end != std::string::npos) {
    const std::string folder = named.substr(0, end), below = named.substr(end + 1);
    shown_ = folder + "/" + below;
    open_folder(folder, below);
    return;
  }
  shown_ = named;
  find_odd(named);
  std::error_code ignored;
  // The link stays, and what it leads to is replaced.
  std::filesystem::path path = named;
  if (std::filesystem::is_symlink(path, ignored)) path = std::filesystem::weakly_canonical(path);
  const std::string folder = path.parent_path().string();
  open_folder(folder.empty() ? "." : folder, path.filename().string());
}

KeptFile::~KeptFile() {
  give_up();
  if (folder_ >= 0) ::close(folder_);
}

void KeptFile::find_odd(const std::string& path) {
  struct stat found{};
  odd_ = ::stat(path.c_str(), &found) == 0 && !S_ISREG(found.st_mode) && !S_ISDIR(found.st_mode);
}

void KeptFile::open_folder(const std::string& folder, const std::string& below) {
  folder_ = ::open(folder.c_str(), kFolder);
  std::string word;
  std::string rest = cut(below, word);
  while (folder_ >= 0 && !rest.empty()) {
    const bool leads_out = word == "..";
    const int next = leads_out ? -1 : ::openat(folder_, word.c_str(), kFolder | O_NOFOLLOW);
    const int error = leads_out ? EPERM : errno;
    ::close(folder_);
    folder_ = next;
    errno = error;
    rest = cut(rest, word);
  }
  if (folder_ < 0) fail("cannot be used: its folder cannot be opened", errno);
  if (word.empty() || word == "." || word == "..") fail("is none", EISDIR);
  last_ = word;
  beside_name_ = "." + last_ + ".new";
  if (beside_name_.size() > NAME_MAX) {
    beside_name_ = ".hocket-" + std::to_string(std::hash<std::string>{}(last_)) + ".new";
  }
}

std::optional<std::string> KeptFile::read(size_t most) const {
  // Without O_NONBLOCK a pipe that nothing writes to would hold the run.
  const int file = ::openat(folder_, last_.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (file < 0 && errno == ENOENT) return std::nullopt;
  if (file < 0) fail("cannot be read", errno);
  struct stat found{};
  std::string content;
  int error = ::fstat(file, &found) != 0 ? errno : S_ISREG(found.st_mode) ? 0 : EINVAL;
  while (error == 0 && content.size() <= most) {
    char bytes[65536];
    const ssize_t size = ::read(file, bytes, sizeof bytes);
    if (size == 0) break;
    if (size > 0) content.append(bytes, static_cast<size_t>(size));
    if (size < 0 && errno != EINTR) error = errno;
  }
  ::close(file);
  if (error != 0) fail("cannot be read", error);
  if (content.size() > most + 1) content.resize(most + 1);
  return content;
}

bool KeptFile::has_name(int file, const std::string& name) const {
  struct stat own{}, named{};
  return ::fstat(file, &own) == 0 &&
         ::fstatat(folder_, name.c_str(), &named, AT_SYMLINK_NOFOLLOW) == 0 &&
         own.st_ino == named.st_ino && own.st_dev == named.st_dev;
}

/// False: another run has it. The file of a run that was killed is used.
bool KeptFile::try_reserve() {
  const int file = ::openat(folder_, beside_name_.c_str(),
                            O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
  if (file < 0 && errno == ELOOP && ::unlinkat(folder_, beside_name_.c_str(), 0) == 0) {
    return false;  // nothing of ours is a link
  }
  if (file < 0) fail(kUnwritten, errno);
  struct stat found{};
  const bool own = ::fstat(file, &found) == 0 && S_ISREG(found.st_mode) && found.st_nlink <= 1;
  if (!own) ::unlinkat(folder_, beside_name_.c_str(), 0);  // it has another name as well
  if (own && ::flock(file, LOCK_EX | LOCK_NB) == 0 && has_name(file, beside_name_)) {
    beside_ = file;
    return true;
  }
  ::close(file);
  return false;
}

void KeptFile::reserve(unsigned tries) {
  if (beside_ >= 0) return;
  if (odd_) {
    beside_ = ::openat(folder_, last_.c_str(), O_WRONLY | O_CLOEXEC);
    if (beside_ < 0) fail(kUnwritten, errno);
    return;
  }
  struct stat found{};
  if (::fstatat(folder_, last_.c_str(), &found, AT_SYMLINK_NOFOLLOW) == 0) {
    if (S_ISLNK(found.st_mode)) fail("is a link", ELOOP);
    if (S_ISDIR(found.st_mode)) fail(kUnwritten, EISDIR);
    // A file that the user has made read-only stays as it is.
    if (::faccessat(folder_, last_.c_str(), W_OK, AT_EACCESS) != 0) {
      fail(kUnwritten, errno);
    }
  }
  for (unsigned tried = 1; !try_reserve(); ++tried) {
    if (tried >= tries) {
      throw DeviceError("the file " + shown_ +
                        " is used by another run: wait for its end, or let this run have a file "
                        "of its own");
    }
    ::usleep(kBetweenTries);
  }
}

void KeptFile::replace(std::string_view content) {
  reserve();
  int error = odd_ || ::ftruncate(beside_, 0) == 0 ? 0 : errno;
  if (error == 0) error = write_all(beside_, content);
  if (error != 0) {
    give_up();
    fail(kUnwritten, error);
  }
  commit();
}

void KeptFile::commit() {
  struct stat old{};
  int error = 0;
  if (!odd_) {
    const bool is_there = ::fstatat(folder_, last_.c_str(), &old, AT_SYMLINK_NOFOLLOW) == 0;
    if (is_there && S_ISREG(old.st_mode)) {
      static_cast<void>(::fchmod(beside_, old.st_mode & 07777));  // of another's file it may not
    }
    if (::fsync(beside_) != 0 && errno != EINVAL) error = errno;  // some file systems have none
    // Only what was written here gets the name.
    if (error == 0 && !has_name(beside_, beside_name_)) error = EBUSY;
    if (error == 0 && ::renameat(folder_, beside_name_.c_str(), folder_, last_.c_str()) != 0) {
      error = errno;
    }
  }
  if (error != 0) {
    give_up();
    fail(kUnwritten, error);
  }
  ::close(beside_);
  beside_ = -1;
  // The name as well; a folder that may not be read is not flushed.
  const int folder = ::openat(folder_, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder >= 0) {
    ::fsync(folder);
    ::close(folder);
  }
}

void KeptFile::give_up() {
  if (beside_ < 0) return;
  if (!odd_ && has_name(beside_, beside_name_)) ::unlinkat(folder_, beside_name_.c_str(), 0);
  ::close(beside_);
  beside_ = -1;
}

void KeptFile::fail(const std::string& what, int error) const {
  std::string text = "the file " + shown_ + " " + what + " (" + std::strerror(error) + ")";
  if (what == kUnwritten) text += "; it is as it was before the run: " + way_out(error);
  throw DeviceError(text);
}

}  // namespace hocket::sim
