#include "simulation/confined/files.h"

#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>
#include <initializer_list>

namespace hocket::confined {
namespace {

// Rights that are newer than the first version of Landlock, with the version that introduced them.
// Headers of older systems do not define them (landlock(7), "Landlock features").
constexpr uint64_t kTruncate = uint64_t{1} << 14;       // 3
constexpr uint64_t kDeviceControl = uint64_t{1} << 15;  // 5
constexpr uint64_t kTcp = 3;                            // bind and connect: 4
constexpr uint64_t kScope = 3;                          // signals and abstract sockets: 6
constexpr uint64_t kFirstFileRights = (uint64_t{1} << 13) - 1;
constexpr uint64_t kRefer = LANDLOCK_ACCESS_FS_REFER;  // 2

constexpr uint64_t kReadFile = LANDLOCK_ACCESS_FS_READ_FILE;
/// The rights that apply to files and not to folders.
constexpr uint64_t kOfFiles = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE |
                              LANDLOCK_ACCESS_FS_WRITE_FILE | kTruncate | kDeviceControl;
constexpr uint64_t kRead = kReadFile | LANDLOCK_ACCESS_FS_READ_DIR;

/// struct landlock_ruleset_attr as of version 6. An older kernel gets only its first part.
struct Handled {
  uint64_t files;
  uint64_t network;
  uint64_t scope;
};

class Rules {
 public:
  Rules() {
    version_ = static_cast<int>(
        syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION));
    if (version_ < 1) return;
    files_ = kFirstFileRights | (version_ >= 2 ? kRefer : 0) | (version_ >= 3 ? kTruncate : 0) |
             (version_ >= 5 ? kDeviceControl : 0);
    const Handled handled{files_, version_ >= 4 ? kTcp : 0, version_ >= 6 ? kScope : 0};
    const size_t size = sizeof(uint64_t) * (version_ >= 6 ? 3 : version_ >= 4 ? 2 : 1);
    set_ = static_cast<int>(syscall(SYS_landlock_create_ruleset, &handled, size, 0));
  }
  Rules(const Rules&) = delete;
  Rules& operator=(const Rules&) = delete;
  ~Rules() {
    if (set_ >= 0) close(set_);
  }

  bool there() const { return set_ >= 0; }

  /// A path that does not exist needs no right.
  void allow(const std::string& path, uint64_t rights) {
    const int opened = open(path.c_str(), O_PATH | O_CLOEXEC);
    if (opened < 0) return;
    struct stat about{};
    fstat(opened, &about);
    if (!S_ISDIR(about.st_mode)) rights &= kOfFiles;
    const landlock_path_beneath_attr rule{.allowed_access = rights & files_, .parent_fd = opened};
    failed_ |= syscall(SYS_landlock_add_rule, set_, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) != 0;
    close(opened);
  }

  bool apply() { return !failed_ && syscall(SYS_landlock_restrict_self, set_, 0) == 0; }

 private:
  int version_ = 0;
  int set_ = -1;
  uint64_t files_ = 0;
  bool failed_ = false;
};

}  // namespace

bool confine_to(const Files& files) {
  Rules rules;
  if (!rules.there()) return false;
  for (const char* libraries : {"/lib", "/lib64", "/usr/lib", "/usr/lib64", "/etc/ld.so.cache",
                                "/dev/urandom", "/sys/devices/system/cpu/online"}) {
    rules.allow(libraries, kRead);
  }
  for (const char* loader : {"/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1"}) {
    rules.allow(loader, kReadFile | LANDLOCK_ACCESS_FS_EXECUTE);
  }
  rules.allow(files.program, kReadFile | LANDLOCK_ACCESS_FS_EXECUTE);
  rules.allow("/dev/null", kReadFile | LANDLOCK_ACCESS_FS_WRITE_FILE);
  for (const std::string& each : files.read) rules.allow(each, kRead);
  for (const std::string& each : files.written) {
    rules.allow(each, kRead | LANDLOCK_ACCESS_FS_WRITE_FILE | kTruncate);
  }
  for (const std::string& each : files.made) {
    rules.allow(each, kRead | LANDLOCK_ACCESS_FS_WRITE_FILE | kTruncate |
                          LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_DIR |
                          LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR | kRefer);
  }
  for (const std::string& each : files.run) {
    rules.allow(each, kRead | LANDLOCK_ACCESS_FS_EXECUTE);
  }
  return rules.apply();
}

}  // namespace hocket::confined
