// Framed packets: see packets.h.

#include "simulation/parts/packets.h"

#include <algorithm>
#include <cmath>

namespace hocket::sim {
namespace {

/// Bytes on the line: more than any device's packets of one period at a sufficient rate.
constexpr size_t kFarBehind = 128;
constexpr uint64_t kMostFlipped = 3;  // bits; the CRC always detects this many
constexpr uint64_t kMostNoise = 8;    // bytes

uint8_t byte_of(const std::string& text, size_t at) {
  return static_cast<uint8_t>(text[at]);
}

}  // namespace

uint16_t packet_check(const std::string& bytes) {
  constexpr unsigned kPolynomial = 0x1021;
  unsigned sum = 0xffff;
  for (const char byte : bytes) {
    sum ^= static_cast<unsigned>(static_cast<uint8_t>(byte)) << 8;
    for (int bit = 0; bit < 8; ++bit)
      sum = (sum & 0x8000) != 0 ? (sum << 1) ^ kPolynomial : sum << 1;
  }
  return static_cast<uint16_t>(sum);
}

int64_t Payload::rounded(double value, int64_t highest) {
  const double limit = static_cast<double>(highest);
  return static_cast<int64_t>(std::floor(std::clamp(value, -limit, limit) + 0.5));
}

Payload& Payload::bytes(uint64_t value, unsigned count) {
  for (unsigned i = 0; i < count; ++i) text_ += static_cast<char>(value >> (8 * i) & 0xff);
  return *this;
}

PacketSender::PacketSender(Section& section, SerialPort& port, uint64_t seed)
    : port_(port),
      share_(static_cast<uint64_t>(section.number_or("broken", 0, 0, kMillion))),
      random_(seed, section.name() + ".line") {
  if (!port_.claim_sender()) section.fail("is on a port to which another part sends");
}

void PacketSender::send(Nanos now, PacketType type, const Payload& payload) {
  if (port_.on_line() > kFarBehind) {
    ++skipped_;
    return;
  }
  std::string body;
  body += static_cast<char>(type);
  body += static_cast<char>(payload.str().size());
  body += payload.str();
  const uint16_t check = packet_check(body);
  std::string packet;
  packet += static_cast<char>(kPacketSync);
  packet += body;
  packet += static_cast<char>(check & 0xff);
  packet += static_cast<char>(check >> 8);
  ++packets_;
  const bool breaks = random_.between(1, kMillion) <= share_;
  if (!breaks) ++intact_;
  port_.put(now, breaks ? broken(std::move(packet)) : packet);
}

/// Flips one to three bits, cuts off the end, or inserts noise before the unchanged packet.
std::string PacketSender::broken(std::string packet) {
  switch (random_.between(0, 2)) {
    case 0: {
      ++flipped_;
      const uint64_t bits = packet.size() * 8;
      const uint64_t first = random_.between(0, bits - 1), flips = random_.between(1, kMostFlipped);
      // At different places, so that no flip undoes another.
      for (uint64_t i = 0; i < flips; ++i) {
        const uint64_t bit = (first + i * (bits / kMostFlipped)) % bits;
        packet[bit / 8] = static_cast<char>(byte_of(packet, bit / 8) ^ 1u << bit % 8);
      }
      return packet;
    }
    case 1:
      ++cut_;
      packet.resize(random_.between(1, packet.size() - 1));
      return packet;
    default: {
      ++noisy_;
      ++intact_;
      std::string noise;
      for (uint64_t left = random_.between(1, kMostNoise); left > 0; --left)
        noise += static_cast<char>(random_.between(0, 0xff));
      return noise + packet;
    }
  }
}

void PacketSender::facts(Facts& facts) const {
  facts.count("packets", packets_);
  facts.count("packets_intact", intact_);
  facts.count("packets_flipped", flipped_);
  facts.count("packets_cut", cut_);
  facts.count("packets_after_noise", noisy_);
  facts.count("packets_skipped", skipped_);
}

std::optional<std::string> PacketReader::take(uint8_t byte) {
  waiting_ += static_cast<char>(byte);
  for (;;) {
    const size_t sync = waiting_.find(static_cast<char>(kPacketSync));
    waiting_.erase(0, std::min(sync, waiting_.size()));
    if (waiting_.size() < kHead) return std::nullopt;
    bool right =
        byte_of(waiting_, 1) == static_cast<uint8_t>(type_) && byte_of(waiting_, 2) == length_;
    if (right) {
      if (waiting_.size() < kHead + length_ + kCheck) return std::nullopt;
      const uint16_t check = packet_check(waiting_.substr(1, kHead - 1 + length_));
      right = payload_u16(waiting_, kHead + length_) == check;
    }
    if (right) {
      std::string payload = waiting_.substr(kHead, length_);
      waiting_.erase(0, kHead + length_ + kCheck);
      return payload;
    }
    ++refused_;
    waiting_.erase(0, 1);  // a packet may begin within the rejected bytes
  }
}

uint16_t payload_u16(const std::string& payload, size_t at) {
  return static_cast<uint16_t>(byte_of(payload, at) | byte_of(payload, at + 1) << 8);
}
int16_t payload_i16(const std::string& payload, size_t at) {
  return static_cast<int16_t>(payload_u16(payload, at));
}

}  // namespace hocket::sim
