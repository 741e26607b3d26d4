// The pipes between the kernel and the world: see channel.h.
#include "simulation/peer/channel.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "simulation/program/options.h"

namespace hocket::world {
namespace {

using program::UsageError;

/// The name is used in the emulator's option syntax and on the kernel's command line: no blank, no
/// comma.
std::string temporary_folder() {
  const char* wished = std::getenv("TMPDIR");
  std::string parent = wished == nullptr ? "" : wished;
  constexpr size_t kLongest = 160;
  constexpr const char* kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-";
  const bool usable = !parent.empty() && parent[0] == '/' && parent.size() <= kLongest &&
                      parent.find_first_not_of(kPlain) == std::string::npos &&
                      access(parent.c_str(), W_OK) == 0;
  if (!usable) parent = "/tmp";
  std::string name = parent + "/hocket-world-XXXXXX";
  if (mkdtemp(name.data()) == nullptr) {
    throw UsageError{"cannot make a folder in " + parent + ": " + std::strerror(errno)};
  }
  return name;
}

int open_pipe(const std::string& name, int how) {
  int number = -1;
  if (mkfifo(name.c_str(), 0600) == 0) number = open(name.c_str(), how | O_NONBLOCK | O_CLOEXEC);
  if (number < 0) throw UsageError{"cannot make the pipe " + name + ": " + std::strerror(errno)};
  return number;
}

}  // namespace

Descriptor::~Descriptor() {
  if (number_ >= 0) close(number_);
}

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  std::swap(number_, other.number_);
  return *this;
}

Channel::Channel() : folder_(temporary_folder()) {
  try {
    request_ = Descriptor(open_pipe(folder_ + "/request", O_RDONLY));
    // Opened for reading as well, so that opening does not wait for the kernel's side (fifo(7)).
    reply_ = Descriptor(open_pipe(folder_ + "/reply", O_RDWR));
  } catch (...) {
    remove();
    throw;
  }
}

Channel::~Channel() {
  remove();
}

void Channel::remove() {
  for (const char* name : {"/request", "/reply"}) unlink((folder_ + name).c_str());
  rmdir(folder_.c_str());
}

bool Channel::receive(std::vector<uint8_t>& to) {
  uint8_t bytes[16 * 1024];
  const ssize_t count = read(request(), bytes, sizeof bytes);
  if (count <= 0) return count < 0 && errno == EINTR;
  to.insert(to.end(), bytes, bytes + count);
  return true;
}

size_t Channel::send(const uint8_t* bytes, size_t size) {
  const ssize_t count = write(reply(), bytes, size);
  return count < 0 ? 0 : static_cast<size_t>(count);
}

}  // namespace hocket::world
