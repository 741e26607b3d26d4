// The line to gdb: a socket with packets of its remote serial protocol ($data#sum, and back + or
// -).
//
// Source: «Debugging with GDB», appendix E, «GDB Remote Serial Protocol».
#pragma once

#include <optional>
#include <string>

namespace hocket::uno {

/// One debugger's connection. Throws UsageError where there is no such address.
class DebugLink {
 public:
  /// Listens at `address`, a TCP port of this computer or `unix:FILE`, and waits until somebody has
  /// connected.
  explicit DebugLink(const std::string& address);
  ~DebugLink();
  DebugLink(const DebugLink&) = delete;
  DebugLink& operator=(const DebugLink&) = delete;

  /// Waits for the next packet; its data. Nothing: whoever was there has gone.
  std::optional<std::string> receive();
  void send(const std::string& data);
  /// Whether the debugger asks a running program to stop (the byte 3), or has gone; never waits.
  bool asks_to_stop();
  /// From now on packets are not acknowledged: the socket loses none.
  void without_acknowledgement() { acknowledges_ = false; }

 private:
  std::optional<char> next();

  int socket_ = -1;
  bool acknowledges_ = true;
  std::string read_;  // and not yet looked at
};

}  // namespace hocket::uno
