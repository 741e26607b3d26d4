#include "simulation/rp2040/device.h"

#include <array>
#include <cstdio>

namespace hocket::rp2040 {

std::string hex(uint32_t value) {
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), "0x%08x", static_cast<unsigned>(value));
  return text.data();
}

void Device::not_modelled(const std::string& what) const {
  throw NotModelled{std::string(name_) + " " + what};
}

void Device::no_register(uint32_t offset) const {
  not_modelled("register " + hex(offset));
}

void Device::not_modelled(uint32_t offset, const std::string& what) const {
  not_modelled("register " + hex(offset) + ": " + what);
}

}  // namespace hocket::rp2040
