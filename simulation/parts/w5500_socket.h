// What an Ethernet chip W5500 has: its registers, its commands, and the state of a socket.
//
// Source: WIZnet W5500 data sheet 1.1.0, chapter 4.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "simulation/parts/net_peer.h"

namespace hocket::sim::w5500 {

enum Common : unsigned {
  kChipMode = 0x00,
  kIp = 0x0f,
  kRetryTime = 0x19,
  kRetries = 0x1b,
  kCable = 0x2e,
  kVersion = 0x39,
  kCommonSize = 0x40
};
enum Register : unsigned {
  kMode = 0x00,
  kCommand = 0x01,
  kInterrupt = 0x02,
  kStatus = 0x03,
  kSource = 0x04,
  kPeerIp = 0x0c,
  kPeerPort = 0x10,
  kRxSize = 0x1e,
  kTxSize = 0x1f,
  kTxFree = 0x20,
  kTxRead = 0x22,
  kTxWrite = 0x24,
  kRxHas = 0x26,
  kRxRead = 0x28,
  kRxWrite = 0x2a,
  kSocketSize = 0x30
};
enum Command : uint8_t {
  kOpen = 0x01,
  kListen = 0x02,
  kConnect = 0x04,
  kDisconnect = 0x08,
  kClose = 0x10,
  kSend = 0x20,
  kSendMac = 0x21,
  kReceive = 0x40
};
enum Status : uint8_t {
  kClosed = 0x00,
  kInit = 0x13,
  kListens = 0x14,
  kCalls = 0x15,
  kEstablished = 0x17,
  kFinWait = 0x18,
  kCloseWait = 0x1c,
  kLastAck = 0x1d,
  kUdp = 0x22
};
enum Interrupt : uint8_t {
  kConnected = 0x01,
  kDisconnected = 0x02,
  kReceived = 0x04,
  kTimedOut = 0x08,
  kSent = 0x10
};

inline constexpr size_t kBuffer = 16 * 1024;

struct Socket {
  std::array<uint8_t, kSocketSize> registers{};
  std::vector<uint8_t> tx = std::vector<uint8_t>(kBuffer), rx = std::vector<uint8_t>(kBuffer);
  std::optional<NetPeer::Talk> talk;
  std::array<uint8_t, 2> write_pointer{}, read_pointer{};  // until they are taken
  std::deque<uint8_t> coming;                              // sent by the peer, without room here
  bool peer_closes = false;                                // when all of that is here
  uint64_t life = 0;  // what was begun for an earlier one is over

  uint8_t status() const { return registers[kStatus]; }
  unsigned word(unsigned at) const { return registers[at] * 256u + registers[at + 1]; }
  void set_word(unsigned at, unsigned value) {
    registers[at] = static_cast<uint8_t>(value >> 8);
    registers[at + 1] = static_cast<uint8_t>(value);
  }
  static size_t size(uint8_t kibibytes) {
    const bool possible = kibibytes <= 16 && (kibibytes & (kibibytes - 1)) == 0;
    return possible ? kibibytes * size_t{1024} : 0;
  }
  size_t rx_size() const { return size(registers[kRxSize]); }
  size_t tx_size() const { return size(registers[kTxSize]); }
  unsigned received() const { return (word(kRxWrite) - word(kRxRead)) & 0xffff; }
  size_t room() const { return rx_size() - std::min<size_t>(rx_size(), received()); }
};

}  // namespace hocket::sim::w5500
