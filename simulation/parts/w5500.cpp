// An Ethernet chip with eight sockets (W5500) on the SPI bus. Its cable leads to a peer that the
// scenario scripts (net_peer.h).
//
//   select ‾└─ address high, low │ block 5 bits, write 1, mode 2 │ bytes … ─┐‾
//   block 0: common registers; 4n+1: socket n; 4n+2: what it sends; 4n+3: what it has received
//
// The pointers TX_WR and RX_RD read as they were until the command to send or receive takes what
// was written: Arduino's library, which writes a packet in pieces, relies on that.
//
// TCP as client and server, and UDP. What is sent is heard `latency` later, and acknowledged as
// much later again. MACRAW and IPRAW sockets are not there.
//
// Source: WIZnet W5500 data sheet 1.1.0, chapters 2 (SPI frame), 3 (registers), 4 (sockets).

#include <algorithm>
#include <array>
#include <functional>

#include "simulation/parts/net_peer.h"
#include "simulation/parts/net_services.h"
#include "simulation/parts/spi_device.h"
#include "simulation/parts/w5500_socket.h"

namespace hocket::sim::w5500 {
namespace {

class W5500 final : public SpiDevice {
 public:
  W5500(Workbench& bench, Section& section)
      : SpiDevice(bench, section),
        peer_(section),
        latency_(section.time_or("latency", 1'000'000)),
        linked_(section.choice_or("cable", 1, {"false", "true"}) == 1),
        serves_(section.choice_or("services", 1, {"false", "true"}) == 1),
        peer_ip_(ip_or(section, "peer", {192, 168, 1, 1})),
        given_ip_(ip_or(section, "address", {192, 168, 1, 50})) {
    reset();
  }

  void start() override {
    SpiDevice::start();
    for (const NetPeer::Call& call : peer_.calls())
      later(call.at, [this, &call](Nanos now) { make_call(now, call, now + kCallsFor); });
  }

  void due(Nanos now, uint64_t token) override {
    const auto found = waiting_.find(token);
    const std::function<void(Nanos)> what = std::move(found->second);
    waiting_.erase(found);
    what(now);
  }

  void facts(Facts& facts, Nanos end) const override {
    SpiDevice::facts(facts, end);
    peer_.facts(facts);
    facts.count("connections", connections_);
    facts.count("refused", refused_);
    facts.count("calls_taken", calls_taken_);
    facts.count("calls_missed", calls_missed_);
    facts.count("udp_sent", udp_sent_);
    facts.count("udp_received", udp_received_);
    facts.count("udp_lost", udp_lost_);
    facts.count("bytes_received", bytes_received_);
    facts.text("ip", ip_text({common_[kIp], common_[kIp + 1], common_[kIp + 2], common_[kIp + 3]}));
    facts.count("open_at_end", static_cast<uint64_t>(std::count_if(
                                   sockets_.begin(), sockets_.end(),
                                   [](const Socket& each) { return each.status() != kClosed; })));
  }
  void live(Facts& facts, Nanos, Nanos) const override {
    facts.flag("cable", linked_);
    facts.count("connections", connections_ + calls_taken_);
    facts.text("ip", ip_text({common_[kIp], common_[kIp + 1], common_[kIp + 2], common_[kIp + 3]}));
  }

 private:
  static constexpr unsigned kSockets = 8;
  static constexpr uint8_t kTcpMode = 1, kUdpMode = 2;
  static constexpr Nanos kCallsAgain = 20'000'000, kCallsFor = 3'000'000'000;

  static Ip ip_or(Section& section, const std::string& key, Ip usual) {
    if (!section.has(key)) return usual;
    const std::optional<Ip> ip = read_ip(section.word(key));
    if (!ip) section.fail("needs an address such as 192.168.1.10 for " + key);
    return *ip;
  }

  void later(Nanos when, std::function<void(Nanos)> what) {
    waiting_[token_] = std::move(what);
    bench_.events.schedule(when, *this, token_++);
  }
  /// As long as the socket is the one that it is now.
  void later(Nanos when, Socket& socket, std::function<void(Nanos)> what) {
    later(when, [&socket, life = socket.life, what = std::move(what)](Nanos now) {
      if (socket.life == life) what(now);
    });
  }

  void reset() {
    common_.fill(0);
    common_[kRetryTime] = 0x07;
    common_[kRetryTime + 1] = 0xd0;
    common_[kRetries] = 8;
    common_[kVersion] = 4;
    for (Socket& each : sockets_) {
      each.registers.fill(0);
      each.registers[kRxSize] = each.registers[kTxSize] = 2;
      end(each);
    }
  }

  // --- the bus

  void selected(Nanos) override { heard_ = 0; }
  uint8_t byte(Nanos now, uint8_t in) override {
    if (heard_ < 2) {
      address_ = heard_ == 0 ? in * 256u : address_ + in;
      ++heard_;
      return static_cast<uint8_t>(heard_ - 1);
    }
    if (heard_ == 2) {
      block_ = in >> 3;
      writes_ = (in & 4) != 0;
      ++heard_;
      return 2;
    }
    const unsigned at = address_++ & 0xffff;
    if (!writes_) return read(at);
    write(now, at, in);
    return 3;
  }

  uint8_t read(unsigned at) const {
    if (block_ == 0) {
      if (at == kCable) return linked_ ? 0xbf : 0xb8;
      return at < kCommonSize ? common_[at] : 0;
    }
    const Socket& socket = sockets_[block_ / 4];
    switch (block_ % 4) {
      case 1:
        return read_register(socket, at);
      case 2:
        return socket.tx_size() == 0 ? 0 : socket.tx[at % socket.tx_size()];
      case 3:
        return socket.rx_size() == 0 ? 0 : socket.rx[at % socket.rx_size()];
      default:
        return 0;
    }
  }

  static uint8_t read_register(const Socket& socket, unsigned at) {
    const auto of = [at](unsigned value, unsigned first) {
      return static_cast<uint8_t>(at == first ? value >> 8 : value);
    };
    if (at >= kSocketSize || at == kCommand) return 0;
    if (at == kTxFree || at == kTxFree + 1) {
      const unsigned used = (socket.word(kTxWrite) - socket.word(kTxRead)) & 0xffff;
      const auto size = static_cast<unsigned>(socket.tx_size());
      return of(size - std::min(size, used), kTxFree);
    }
    if (at == kRxHas || at == kRxHas + 1) return of(socket.received(), kRxHas);
    return socket.registers[at];
  }

  void write(Nanos now, unsigned at, uint8_t value) {
    if (block_ == 0) {
      if (at == kChipMode && (value & 0x80) != 0) return reset();
      if (at < kCommonSize && at != kVersion) common_[at] = value;
      return;
    }
    Socket& socket = sockets_[block_ / 4];
    if (block_ % 4 == 2 && socket.tx_size() > 0) socket.tx[at % socket.tx_size()] = value;
    if (block_ % 4 != 1 || at >= kSocketSize) return;
    switch (at) {
      case kCommand:
        return command(now, socket, value);
      case kInterrupt:
        socket.registers[at] = static_cast<uint8_t>(socket.registers[at] & ~value);
        return;
      case kStatus:
        return;
      case kTxWrite:
      case kTxWrite + 1:
        socket.write_pointer[at - kTxWrite] = value;
        return;
      case kRxRead:
      case kRxRead + 1:
        socket.read_pointer[at - kRxRead] = value;
        return;
      default:
        socket.registers[at] = value;
    }
  }

  // --- sockets

  void command(Nanos now, Socket& socket, uint8_t what) {
    switch (what) {
      case kOpen:
        return open(socket);
      case kListen:
        if (socket.status() == kInit) socket.registers[kStatus] = kListens;
        return;
      case kConnect:
        return connect(now, socket);
      case kDisconnect:
        return disconnect(now, socket);
      case kClose:
        socket.registers[kStatus] = kClosed;
        return end(socket);
      case kSend:
      case kSendMac:
        return send(now, socket);
      case kReceive:
        std::copy_n(socket.read_pointer.begin(), 2, socket.registers.begin() + kRxRead);
        return fill(socket);
      default:
        return;
    }
  }

  static void end(Socket& socket) {
    ++socket.life;
    socket.talk.reset();
    socket.coming.clear();
    socket.peer_closes = false;
  }

  static void open(Socket& socket) {
    end(socket);
    socket.write_pointer = socket.read_pointer = {};
    for (const unsigned pointer : {kTxRead, kTxWrite, kRxRead, kRxWrite})
      socket.set_word(pointer, 0);
    const unsigned mode = socket.registers[kMode] & 15;
    socket.registers[kStatus] = mode == kTcpMode ? kInit : mode == kUdpMode ? kUdp : kClosed;
  }

  static void raise(Socket& socket, Interrupt what) { socket.registers[kInterrupt] |= what; }
  static void close(Socket& socket, Interrupt why) {
    socket.registers[kStatus] = kClosed;
    raise(socket, why);
    end(socket);
  }

  void connect(Nanos now, Socket& socket) {
    if (socket.status() != kInit) return;
    socket.registers[kStatus] = kCalls;
    const auto port = static_cast<uint16_t>(socket.word(kPeerPort));
    if (!linked_) {
      // The address request is repeated, at first after 0.2 s (3.1, RTR and RCR).
      const Nanos each = (common_[kRetryTime] * Nanos{256} + common_[kRetryTime + 1]) * 100'000;
      return later(now + each * (common_[kRetries] + 1u), socket,
                   [&socket](Nanos) { close(socket, kTimedOut); });
    }
    later(now + 2 * latency_, socket, [this, &socket, port](Nanos then) {
      if (!peer_.answers_at(port)) {
        ++refused_;
        return close(socket, kDisconnected);
      }
      ++connections_;
      establish(then, socket, port);
    });
  }

  void establish(Nanos now, Socket& socket, uint16_t port) {
    socket.registers[kStatus] = kEstablished;
    raise(socket, kConnected);
    socket.talk.emplace(peer_, port);
    answer(now, socket, "");
  }

  void disconnect(Nanos now, Socket& socket) {
    const uint8_t status = socket.status();
    if (status != kEstablished && status != kCloseWait) {
      if (status == kUdp || status == kInit || status == kListens) command(now, socket, kClose);
      return;
    }
    socket.registers[kStatus] = status == kEstablished ? kFinWait : kLastAck;
    later(now + 2 * latency_, socket, [&socket](Nanos) { close(socket, kDisconnected); });
  }

  void send(Nanos now, Socket& socket) {
    std::copy_n(socket.write_pointer.begin(), 2, socket.registers.begin() + kTxWrite);
    std::string bytes;
    const unsigned size = (socket.word(kTxWrite) - socket.word(kTxRead)) & 0xffff;
    if (size <= socket.tx_size())
      for (unsigned i = 0; i < size; ++i)
        bytes += static_cast<char>(socket.tx[(socket.word(kTxRead) + i) % socket.tx_size()]);
    const bool connected = socket.status() == kEstablished || socket.status() == kCloseWait;
    if (!connected && socket.status() != kUdp) return;
    const unsigned sent_up_to = socket.word(kTxWrite);
    if (!linked_) {
      return later(now + 1'800'000'000, socket, [&socket, connected](Nanos) {
        if (connected)
          close(socket, kTimedOut);
        else
          raise(socket, kTimedOut);
      });
    }
    if (connected) {
      later(now + latency_, socket, [this, &socket, bytes](Nanos then) {
        peer_.hear(bytes);
        answer(then, socket, bytes);
      });
    } else {
      const auto port = static_cast<uint16_t>(socket.word(kPeerPort));
      const Ip to{socket.registers[kPeerIp], socket.registers[kPeerIp + 1],
                  socket.registers[kPeerIp + 2], socket.registers[kPeerIp + 3]};
      ++udp_sent_;
      later(now + latency_, socket, [this, &socket, bytes, port, to](Nanos then) {
        packet(then, socket, bytes, port, to);
      });
    }
    later(now + (connected ? 2 : 1) * latency_, socket, [&socket, sent_up_to](Nanos) {
      socket.set_word(kTxRead, sent_up_to);
      raise(socket, kSent);
    });
  }

  /// The peer has heard a packet.
  void packet(Nanos now, Socket& socket, const std::string& bytes, uint16_t port, const Ip& to) {
    const bool to_all = to == Ip{255, 255, 255, 255};
    const Ip from = to_all ? peer_ip_ : to;
    std::optional<std::string> served;
    if (serves_ && port == kDhcpPort) served = dhcp_answer(bytes, given_ip_, peer_ip_);
    if (serves_ && port == kDnsPort && !peer_.answers_at(port))
      served = dns_answer(bytes, peer_ip_);
    if (served) {
      return later(now + latency_, socket, [this, &socket, port, from, text = *served](Nanos) {
        deliver(socket, from, port, text);
      });
    }
    peer_.hear(bytes);
    if (const NetPeer::Answer* found = peer_.to_packet(port, bytes)) {
      later(now + latency_ + found->wait, socket, [this, &socket, port, from, found](Nanos) {
        deliver(socket, from, port, found->text);
      });
    }
  }

  /// A packet comes: its head first (4.2.2: address, port, size). One without room is lost.
  void deliver(Socket& socket, const Ip& from, uint16_t port, const std::string& bytes) {
    std::string whole;
    for (const uint8_t each : from) whole += static_cast<char>(each);
    for (const size_t word : {size_t{port}, bytes.size()}) {
      whole += static_cast<char>(word >> 8);
      whole += static_cast<char>(word);
    }
    whole += bytes;
    if (whole.size() > socket.room()) {
      ++udp_lost_;
      return;
    }
    ++udp_received_;
    for (const char each : whole) put(socket, static_cast<uint8_t>(each));
    raise(socket, kReceived);
  }

  /// What the peer says to what it has heard on a connection.
  void answer(Nanos now, Socket& socket, const std::string& heard) {
    if (!socket.talk) return;
    Nanos when = now;
    for (const NetPeer::Answer* each : socket.talk->hears(heard)) {
      when += each->wait;
      later(when + latency_, socket, [this, &socket, each](Nanos) {
        socket.coming.insert(socket.coming.end(), each->text.begin(), each->text.end());
        if (each->closes) socket.peer_closes = true;
        fill(socket);
      });
    }
  }

  void put(Socket& socket, uint8_t byte) {
    const unsigned at = socket.word(kRxWrite);
    socket.rx[at % socket.rx_size()] = byte;
    socket.set_word(kRxWrite, at + 1);
    ++bytes_received_;
  }
  /// What has room of that which the peer has sent comes in.
  void fill(Socket& socket) {
    const bool any = !socket.coming.empty() && socket.room() > 0;
    while (!socket.coming.empty() && socket.room() > 0) {
      put(socket, socket.coming.front());
      socket.coming.pop_front();
    }
    if (any) raise(socket, kReceived);
    if (!socket.peer_closes || !socket.coming.empty()) return;
    socket.peer_closes = false;
    raise(socket, kDisconnected);
    if (socket.status() == kEstablished) socket.registers[kStatus] = kCloseWait;
    if (socket.status() == kFinWait) close(socket, kDisconnected);
  }

  /// The peer connects; if no socket listens, it retries for a while.
  void make_call(Nanos now, const NetPeer::Call& call, Nanos gives_up) {
    const uint8_t wanted = call.udp ? kUdp : kListens;
    const auto found = std::find_if(sockets_.begin(), sockets_.end(), [&](const Socket& each) {
      return each.status() == wanted && each.word(kSource) == call.port;
    });
    if (found == sockets_.end() || !linked_) {
      if (call.udp || now >= gives_up) {
        ++calls_missed_;
        return;
      }
      return later(now + kCallsAgain,
                   [this, &call, gives_up](Nanos then) { make_call(then, call, gives_up); });
    }
    ++calls_taken_;
    Socket& socket = *found;
    if (call.udp) return deliver(socket, peer_ip_, kOwnPort, call.text);
    std::copy(peer_ip_.begin(), peer_ip_.end(), socket.registers.begin() + kPeerIp);
    socket.set_word(kPeerPort, kOwnPort);
    establish(now, socket, call.port);
    later(now + latency_, socket, [this, &socket, &call](Nanos) {
      socket.coming.insert(socket.coming.end(), call.text.begin(), call.text.end());
      fill(socket);
    });
    if (call.lasts) {
      later(now + *call.lasts, socket, [this, &socket](Nanos) {
        socket.peer_closes = true;
        fill(socket);
      });
    }
  }
  static constexpr uint16_t kOwnPort = 50'000;  // of the peer when it calls

  NetPeer peer_;
  Nanos latency_;
  bool linked_, serves_;
  Ip peer_ip_, given_ip_;
  std::array<uint8_t, kCommonSize> common_{};
  std::array<Socket, kSockets> sockets_{};
  std::map<uint64_t, std::function<void(Nanos)>> waiting_;
  uint64_t token_ = 0;
  unsigned heard_ = 0, address_ = 0, block_ = 0;
  bool writes_ = false;
  uint64_t connections_ = 0, refused_ = 0, calls_taken_ = 0, calls_missed_ = 0;
  uint64_t udp_sent_ = 0, udp_received_ = 0, udp_lost_ = 0, bytes_received_ = 0;
};

}  // namespace
}  // namespace hocket::sim::w5500

namespace hocket::sim {

std::unique_ptr<Part> make_w5500(Workbench& bench, Section& section) {
  return std::make_unique<w5500::W5500>(bench, section);
}

}  // namespace hocket::sim
