// Accesses of a core beside RAM: flash, ROM, devices, its own registers, and those that are
// refused.
#include "simulation/rp2040/core/access.h"

namespace hocket::rp2040 {
namespace {

constexpr uint32_t kAliasSize = 16 * 1024 * 1024;

/// Returns the offset into flash, of whose four views each has a size of 16 MB.
constexpr bool in_flash(uint32_t address, uint32_t& offset) {
  offset = (address - kFlashBase) % kAliasSize;
  return address - kFlashBase < kFlashAliases * kAliasSize && offset < kFlashSize;
}

constexpr bool is_private(uint32_t address) {
  return address >> 20 == kPrivateBase >> 20;
}

template <class T>
uint32_t bytes_at(const uint8_t* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

uint32_t bytes_at(const uint8_t* from, uint32_t size) {
  if (size == 1) return bytes_at<uint8_t>(from);
  return size == 2 ? bytes_at<uint16_t>(from) : bytes_at<uint32_t>(from);
}

constexpr uint32_t part_of(uint32_t word, uint32_t address, uint32_t size) {
  const uint32_t shifted = word >> (address % 4 * 8);
  return size == 4 ? shifted : shifted & ((1u << 8 * size) - 1);
}

constexpr uint32_t in_all_places(uint32_t value, uint32_t size) {
  if (size == 1) return (value & 0xff) * 0x0101'0101u;
  return size == 2 ? (value & 0xffff) * 0x1'0001u : value;
}

/// RAM one bank behind the other, as an address of its striped view.
constexpr bool in_unstriped(uint32_t address, uint32_t& striped) {
  const uint32_t offset = address - kUnstripedBase;
  striped = kRamBase + Memory::striped(offset % kStripedSize);
  return offset < kStripedSize;
}

}  // namespace

bool Core::refuse(Fault::Kind kind, uint32_t address) {
  fault_ = {kind, address, pc()};
  return false;
}

/// Of the MPU or, without it, of the default map.
bool Core::allowed(uint32_t address, uint8_t permission, Fault::Kind refusal) {
  const uint8_t given =
      protected_ ? mpu_.verdict(address, registers_.privileged()) : Mpu::without(address);
  return (given & permission) != 0 || refuse(refusal, address);
}

void Core::charge_device(uint32_t address, uint32_t at_apb) {
  switch (address >> 28) {
    case kApbBase >> 28:
      spent_ += at_apb;
      break;
    case kPortBase >> 28:
      spent_ += timing_.port_transfer;
      break;
    default:
      spent_ += cost::kTransfer;
  }
}

bool Core::fetch_elsewhere(uint32_t address, uint32_t& halfword) {
  const uint32_t granule = address >> Mpu::kGranuleBits;
  if (granule != allowed_granule_) {
    if (!allowed(address, kExecute, Fault::Kind::NoExecute)) return false;
    allowed_granule_ = granule;
  }
  uint32_t offset;
  if (in_flash(address, offset)) {
    halfword = bytes_at<uint16_t>(flash_ + offset);
  } else if (in_unstriped(address, offset)) {
    touch(offset);
    halfword = bytes_at<uint16_t>(ram_ + offset - kRamBase);
  } else if (address < kRomSize) {
    halfword = bytes_at<uint16_t>(memory_.rom() + address);
  } else {
    return refuse(Fault::Kind::Nothing, address);
  }
  return true;
}

bool Core::load_elsewhere(uint32_t address, uint32_t size, uint32_t& value) {
  if (address % size != 0) return refuse(Fault::Kind::Unaligned, address);
  if (is_private(address)) {
    if (!registers_.privileged()) return refuse(Fault::Kind::PrivateAccess, address);
    spent_ += cost::kTransfer;
    uint32_t word;
    if (size != 4 || !read_private(address - kPrivateBase, word, cycle_ + spent_)) {
      return refuse(Fault::Kind::Nothing, address);
    }
    value = word;
    return true;
  }
  if (!allowed(address, kRead, Fault::Kind::NoRead)) return false;
  uint32_t offset;
  if (in_flash(address, offset)) {
    spent_ += cost::kTransfer;
    value = bytes_at(flash_ + offset, size);
  } else if (in_unstriped(address, offset)) {
    touch(offset);
    spent_ += cost::kTransfer;
    value = bytes_at(ram_ + offset - kRamBase, size);
  } else if (address < kRomSize) {
    spent_ += cost::kTransfer;
    value = bytes_at(memory_.rom() + address, size);
  } else {
    charge_device(address, timing_.apb_load);
    uint32_t word;
    if (!bus_.read(address & ~3u, word, {cycle_ + spent_, index_})) {
      return refuse(Fault::Kind::Nothing, address);
    }
    value = part_of(word, address, size);
  }
  return true;
}

bool Core::store_elsewhere(uint32_t address, uint32_t size, uint32_t value) {
  if (address % size != 0) return refuse(Fault::Kind::Unaligned, address);
  if (is_private(address)) {
    if (!registers_.privileged()) return refuse(Fault::Kind::PrivateAccess, address);
    spent_ += cost::kTransfer;
    return (size == 4 && write_private(address - kPrivateBase, value, cycle_ + spent_)) ||
           refuse(Fault::Kind::Nothing, address);
  }
  if (!allowed(address, kWrite, Fault::Kind::NoWrite)) return false;
  uint32_t offset;
  if (in_unstriped(address, offset)) {
    touch(offset);
    spent_ += cost::kTransfer;
    std::memcpy(ram_ + offset - kRamBase, &value, size);  // both are little-endian
    return true;
  }
  charge_device(address, timing_.apb_store);
  return bus_.write(address & ~3u, in_all_places(value, size), {cycle_ + spent_, index_}) ||
         refuse(Fault::Kind::Nothing, address);
}

bool Core::peek(uint32_t address, uint32_t& value) const {
  const uint8_t* const bytes = memory_.bytes(address, sizeof value);
  if (bytes == nullptr) return false;
  value = bytes_at<uint32_t>(bytes);
  return true;
}

}  // namespace hocket::rp2040
