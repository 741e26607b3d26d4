// The connection to gdb: a socket with packets of its remote serial protocol ($data#sum,
// acknowledged by + or -).
//
// Source: «Debugging with GDB», appendix E, «GDB Remote Serial Protocol».
#pragma once

#include <optional>
#include <string>

namespace hocket::avr {

/// One debugger's connection. Throws UsageError if the address is not usable.
class DebugLink {
 public:
  /// Listens at `address`, a TCP port of this computer or `unix:FILE`, and waits for a connection.
  explicit DebugLink(const std::string& address);
  ~DebugLink();
  DebugLink(const DebugLink&) = delete;
  DebugLink& operator=(const DebugLink&) = delete;

  /// Waits for the next packet and returns its data; nullopt: the connection is closed.
  std::optional<std::string> receive();
  void send(const std::string& data);
  /// Whether the debugger wants to stop a running program (the byte 3), or has disconnected. Never
  /// waits.
  bool asks_to_stop();
  /// From now on packets are not acknowledged, because the socket loses none.
  void without_acknowledgement() { acknowledges_ = false; }

 private:
  std::optional<char> next();

  int socket_ = -1;
  bool acknowledges_ = true;
  std::string read_;  // read and not processed yet
};

}  // namespace hocket::avr
