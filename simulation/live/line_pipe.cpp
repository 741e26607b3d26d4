// Lines over two descriptors: see line_pipe.h.
#include "simulation/live/line_pipe.h"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace hocket::live {

std::optional<std::string> LinePipe::next() {
  for (;;) {
    const size_t end = coming_.find('\n');
    if (end == std::string::npos && coming_.size() > kLongestLine) {
      too_long_ = true;
      coming_.clear();
    }
    if (end != std::string::npos) {
      std::string line = coming_.substr(0, end);
      coming_.erase(0, end + 1);
      if (too_long_ || line.size() > kLongestLine) line.clear();
      too_long_ = false;
      return line;
    }
    if (ended_) {
      closed_ = true;
      return std::nullopt;
    }
    const size_t before = coming_.size();
    read();
    if (coming_.size() == before && !ended_) return std::nullopt;
  }
}

void LinePipe::read() {
  pollfd ready{.fd = in_, .events = POLLIN, .revents = 0};
  if (poll(&ready, 1, 0) <= 0) return;
  std::array<char, 4096> bytes;
  const ssize_t size = ::read(in_, bytes.data(), bytes.size());
  if (size > 0)
    coming_.append(bytes.data(), static_cast<size_t>(size));
  else if (size == 0 || (errno != EINTR && errno != EAGAIN))
    ended_ = true;
}

void LinePipe::wait(int milliseconds) const {
  pollfd ready{.fd = in_, .events = POLLIN, .revents = 0};
  static_cast<void>(poll(&ready, 1, milliseconds));
}

void LinePipe::send(std::string line) {
  line += '\n';
  size_t sent = 0;
  while (!closed_ && sent < line.size()) {
    const ssize_t size = ::write(out_, line.data() + sent, line.size() - sent);
    if (size > 0) {
      sent += static_cast<size_t>(size);
    } else if (errno == EAGAIN) {
      pollfd ready{.fd = out_, .events = POLLOUT, .revents = 0};
      static_cast<void>(poll(&ready, 1, -1));
    } else if (errno != EINTR) {
      closed_ = true;
    }
  }
}

}  // namespace hocket::live
