// The other end of a board's sockets: a peer that the scenario scripts.
//
//   answers   what it sends on a port: at once, or after it has received a text
//   calls     connections and packets that it makes to the board
//   expect    texts that it must receive, in this order, on any connection
//
// It has no network: nothing outside the simulation is ever reached.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "simulation/devices/facts.h"
#include "simulation/parts/section.h"
#include "simulation/parts/serial_script.h"

namespace hocket::sim {

using Ip = std::array<uint8_t, 4>;

/// Parses `192.168.1.10`; nullopt: it is not an address.
std::optional<Ip> read_ip(const std::string& text);
std::string ip_text(const Ip& ip);

class NetPeer {
 public:
  struct Answer {
    uint16_t port = 0;
    std::string after;  // empty: at once
    Nanos wait = 0;
    std::string text;
    bool closes = false;
  };
  struct Call {
    Nanos at = 0;
    uint16_t port = 0;
    bool udp = false;
    std::string text;
    std::optional<Nanos> lasts;
  };

  /// Takes `answers`, `calls` and `expect`. Throws ScenarioError.
  explicit NetPeer(Section& section);

  const std::vector<Call>& calls() const { return calls_; }
  bool answers_at(uint16_t port) const;
  /// Bytes that the board has sent to it.
  void hear(const std::string& bytes);
  /// The answer to a packet; null: none.
  const Answer* to_packet(uint16_t port, const std::string& bytes) const;

  /// The progress of one connection through the answers of its port.
  class Talk {
   public:
    Talk(const NetPeer& peer, uint16_t port);
    /// The answers that are due after these bytes (no bytes: the connection has just begun).
    std::vector<const Answer*> hears(const std::string& bytes);

   private:
    std::vector<const Answer*> left_;
    size_t next_ = 0;
    std::string heard_;
  };

  void facts(Facts& facts) const;

 private:
  std::vector<Answer> answers_;
  std::vector<Call> calls_;
  TextMatcher expected_;
  uint64_t bytes_ = 0;
  std::string heard_;
};

}  // namespace hocket::sim
