#include "simulation/avr/debug_link.h"

#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstring>

#include "simulation/program/options.h"

namespace hocket::avr {
namespace {

using program::UsageError;

constexpr char kInterrupt = 3;
constexpr const char* kFile = "unix:";

[[noreturn]] void refuse(const std::string& address) {
  throw UsageError{"no debugger can be waited for at " + address + ": " + std::strerror(errno)};
}

int listen_at_file(const std::string& address) {
  const std::string name = address.substr(std::strlen(kFile));
  sockaddr_un place{};
  place.sun_family = AF_UNIX;
  if (name.empty() || name.size() >= sizeof place.sun_path) {
    throw UsageError{"--debug unix:FILE takes a name of 1 to " +
                     std::to_string(sizeof place.sun_path - 1) + " bytes"};
  }
  name.copy(place.sun_path, name.size());
  const int listening = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (listening < 0) refuse(address);
  // SAFETY: bind() takes all kinds of addresses by this type.
  if (bind(listening, reinterpret_cast<sockaddr*>(&place), sizeof place) != 0) refuse(address);
  return listening;
}

int listen_at_port(const std::string& address) {
  uint16_t port = 0;
  const char* const end = address.data() + address.size();
  const auto read = std::from_chars(address.data(), end, port);
  if (read.ec != std::errc() || read.ptr != end || port == 0) {
    throw UsageError{"--debug takes a port, 1 to 65535, or unix:FILE, not \"" + address + "\""};
  }
  sockaddr_in place{};
  place.sin_family = AF_INET;
  place.sin_port = htons(port);
  place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const int listening = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (listening < 0) refuse(address);
  const int again = 1;  // allows a new session right after another
  setsockopt(listening, SOL_SOCKET, SO_REUSEADDR, &again, sizeof again);
  // SAFETY: as above.
  if (bind(listening, reinterpret_cast<sockaddr*>(&place), sizeof place) != 0) refuse(address);
  return listening;
}

uint8_t sum_of(const std::string& data) {
  uint8_t sum = 0;
  for (const char c : data) sum = static_cast<uint8_t>(sum + static_cast<uint8_t>(c));
  return sum;
}

}  // namespace

DebugLink::DebugLink(const std::string& address) {
  const int listening =
      address.rfind(kFile, 0) == 0 ? listen_at_file(address) : listen_at_port(address);
  if (listen(listening, 1) != 0) refuse(address);
  while ((socket_ = accept(listening, nullptr, nullptr)) < 0) {
    if (errno != EINTR) refuse(address);
  }
  close(listening);
}

DebugLink::~DebugLink() {
  close(socket_);
}

std::optional<char> DebugLink::next() {
  if (read_.empty()) {
    char bytes[1024];
    ssize_t count;
    while ((count = recv(socket_, bytes, sizeof bytes, 0)) < 0 && errno == EINTR) {
    }
    if (count <= 0) return std::nullopt;
    read_.assign(bytes, static_cast<size_t>(count));
  }
  const char c = read_.front();
  read_.erase(0, 1);
  return c;
}

std::optional<std::string> DebugLink::receive() {
  for (;;) {
    std::optional<char> c;
    while ((c = next()) && *c != '$') {
    }
    std::string data;
    while ((c = next()) && *c != '#') data += *c;
    char sum[3] = {};
    for (int i = 0; i < 2 && (c = next()); ++i) sum[i] = *c;
    if (!c) return std::nullopt;
    if (!acknowledges_) return data;
    const bool whole = std::strtoul(sum, nullptr, 16) == sum_of(data);
    ::send(socket_, whole ? "+" : "-", 1, MSG_NOSIGNAL);
    if (whole) return data;
  }
}

void DebugLink::send(const std::string& data) {
  char sum[4];
  std::snprintf(sum, sizeof sum, "#%02x", sum_of(data));
  const std::string packet = "$" + data + sum;
  for (size_t sent = 0; sent < packet.size();) {
    const ssize_t count = ::send(socket_, packet.data() + sent, packet.size() - sent, MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return;  // closed: the next receive() reports it
    sent += static_cast<size_t>(count);
  }
}

bool DebugLink::asks_to_stop() {
  pollfd watched{.fd = socket_, .events = POLLIN, .revents = 0};
  if (read_.empty() && poll(&watched, 1, 0) <= 0) return false;
  const std::optional<char> c = next();
  return !c || *c == kInterrupt;  // (otherwise a late acknowledgement)
}

}  // namespace hocket::avr
