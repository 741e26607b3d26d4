// PNG as of its specification, second edition (ISO/IEC 15948): one bit a point, and the data not
// compressed (RFC 1950, RFC 1951 section 3.2.4): these pictures have some thousand bytes.
#include "simulation/parts/picture.h"

#include <algorithm>
#include <fstream>

#include "simulation/devices/devices.h"

namespace hocket::sim {
namespace {

std::string big_endian(uint32_t number) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(number >> shift);
  return bytes;
}

/// PNG, annex D.
uint32_t crc(const std::string& bytes) {
  uint32_t rest = ~0u;
  for (const char byte : bytes) {
    rest ^= static_cast<uint8_t>(byte);
    for (int bit = 0; bit < 8; ++bit) rest = rest >> 1 ^ ((rest & 1) != 0 ? 0xedb88320u : 0);
  }
  return ~rest;
}

std::string chunk(const std::string& type, const std::string& data) {
  return big_endian(static_cast<uint32_t>(data.size())) + type + data +
         big_endian(crc(type + data));
}

/// A zlib stream of blocks that are stored.
std::string stored(const std::string& data) {
  constexpr size_t kMost = 65'535;
  std::string stream = "\x78\x01";
  for (size_t at = 0; at < data.size() || at == 0; at += kMost) {
    const size_t size = std::min(kMost, data.size() - at);
    const auto low = static_cast<char>(size), high = static_cast<char>(size >> 8);
    stream += at + size == data.size() ? '\x01' : '\x00';
    stream += {low, high, static_cast<char>(~low), static_cast<char>(~high)};
    stream += data.substr(at, size);
  }
  uint32_t a = 1, b = 0;  // Adler-32
  for (const char byte : data) {
    a = (a + static_cast<uint8_t>(byte)) % 65'521;
    b = (b + a) % 65'521;
  }
  return stream + big_endian(b << 16 | a);
}

std::string png(const Picture& picture) {
  std::string lines;
  for (unsigned y = 0; y < picture.height(); ++y) lines += '\0' + picture.row(y);
  // One bit a point, grey; no interlacing.
  const std::string head = big_endian(picture.width()) + big_endian(picture.height()) +
                           std::string{'\1', '\0', '\0', '\0', '\0'};
  return "\x89PNG\r\n\x1a\n" + chunk("IHDR", head) + chunk("IDAT", stored(lines)) +
         chunk("IEND", "");
}

std::string pbm(const Picture& picture) {
  std::string text =
      "P4\n" + std::to_string(picture.width()) + " " + std::to_string(picture.height()) + "\n";
  for (unsigned y = 0; y < picture.height(); ++y)
    for (const char byte : picture.row(y)) text += static_cast<char>(~byte);  // 1 is black there
  return text;
}

}  // namespace

size_t Picture::lit() const {
  return static_cast<size_t>(std::count(lit_.begin(), lit_.end(), true));
}

std::string Picture::row(unsigned y) const {
  std::string bytes((width_ + 7) / 8, '\0');
  for (unsigned x = 0; x < width_; ++x)
    if (at(x, y)) bytes[x / 8] = static_cast<char>(bytes[x / 8] | 0x80 >> x % 8);
  return bytes;
}

void Picture::save(const std::string& file) const {
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  out << (file.ends_with(".pbm") ? pbm(*this) : png(*this));
  out.close();
  if (!out) throw DeviceError("the picture " + file + " cannot be written");
}

}  // namespace hocket::sim
