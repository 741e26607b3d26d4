// Instructions that load and store (Armv6-M ARM, A6.7). A fault leaves all registers as they were.
#include <bit>
#include <type_traits>

#include "simulation/rp2040/core/access.h"
#include "simulation/rp2040/core/instructions.h"

namespace hocket::rp2040 {
namespace {

constexpr uint32_t transferred(uint32_t code) {
  return code & 7;
}
constexpr uint32_t base_of(uint32_t code) {
  return code >> 3 & 7;
}
constexpr uint32_t offset_of(uint32_t code) {
  return code >> 6 & 31;
}
constexpr uint32_t of_stack(uint32_t code) {
  return code >> 8 & 7;
}
constexpr uint32_t words_of(uint32_t code) {
  return (code & 0xff) * 4;
}
constexpr uint32_t kLinkOrPc = 0x100;  // in PUSH and POP

}  // namespace

template <class T>
void Instructions::load_to(Core& core, uint32_t to, uint32_t address) {
  uint32_t value;
  if (!core.load<std::make_unsigned_t<T>>(address, value)) return;
  if constexpr (std::is_signed_v<T>) {
    value = static_cast<uint32_t>(int32_t{static_cast<T>(value)});
  }
  reg(core, to) = value;
}

template <class T>
void Instructions::store_from(Core& core, uint32_t from, uint32_t address) {
  core.store<T>(address, reg(core, from));
}

void Instructions::ldr_literal(Core& core, uint32_t code) {
  load_to<uint32_t>(core, of_stack(code), ((core.pc() + 4) & ~3u) + words_of(code));
}
void Instructions::str_stack(Core& core, uint32_t code) {
  store_from<uint32_t>(core, of_stack(code), reg(core, Registers::kStack) + words_of(code));
}
void Instructions::ldr_stack(Core& core, uint32_t code) {
  load_to<uint32_t>(core, of_stack(code), reg(core, Registers::kStack) + words_of(code));
}

void Instructions::str_immediate(Core& core, uint32_t code) {
  store_from<uint32_t>(core, transferred(code), reg(core, base_of(code)) + 4 * offset_of(code));
}
void Instructions::ldr_immediate(Core& core, uint32_t code) {
  load_to<uint32_t>(core, transferred(code), reg(core, base_of(code)) + 4 * offset_of(code));
}
void Instructions::strb_immediate(Core& core, uint32_t code) {
  store_from<uint8_t>(core, transferred(code), reg(core, base_of(code)) + offset_of(code));
}
void Instructions::ldrb_immediate(Core& core, uint32_t code) {
  load_to<uint8_t>(core, transferred(code), reg(core, base_of(code)) + offset_of(code));
}
void Instructions::strh_immediate(Core& core, uint32_t code) {
  store_from<uint16_t>(core, transferred(code), reg(core, base_of(code)) + 2 * offset_of(code));
}
void Instructions::ldrh_immediate(Core& core, uint32_t code) {
  load_to<uint16_t>(core, transferred(code), reg(core, base_of(code)) + 2 * offset_of(code));
}

void Instructions::str_register(Core& core, uint32_t code) {
  store_from<uint32_t>(core, transferred(code),
                       reg(core, base_of(code)) + reg(core, offset_of(code) & 7));
}
void Instructions::strh_register(Core& core, uint32_t code) {
  store_from<uint16_t>(core, transferred(code),
                       reg(core, base_of(code)) + reg(core, offset_of(code) & 7));
}
void Instructions::strb_register(Core& core, uint32_t code) {
  store_from<uint8_t>(core, transferred(code),
                      reg(core, base_of(code)) + reg(core, offset_of(code) & 7));
}
void Instructions::ldr_register(Core& core, uint32_t code) {
  load_to<uint32_t>(core, transferred(code),
                    reg(core, base_of(code)) + reg(core, offset_of(code) & 7));
}
void Instructions::ldrh_register(Core& core, uint32_t code) {
  load_to<uint16_t>(core, transferred(code),
                    reg(core, base_of(code)) + reg(core, offset_of(code) & 7));
}
void Instructions::ldrb_register(Core& core, uint32_t code) {
  load_to<uint8_t>(core, transferred(code),
                   reg(core, base_of(code)) + reg(core, offset_of(code) & 7));
}
void Instructions::ldrsh_register(Core& core, uint32_t code) {
  load_to<int16_t>(core, transferred(code),
                   reg(core, base_of(code)) + reg(core, offset_of(code) & 7));
}
void Instructions::ldrsb_register(Core& core, uint32_t code) {
  load_to<int8_t>(core, transferred(code),
                  reg(core, base_of(code)) + reg(core, offset_of(code) & 7));
}

void Instructions::push(Core& core, uint32_t code) {
  uint32_t list = code & 0xff;
  if ((code & kLinkOrPc) != 0) list |= 1u << Registers::kLink;
  const uint32_t to = reg(core, Registers::kStack) - 4 * static_cast<uint32_t>(std::popcount(list));
  uint32_t address = to;
  for (; list != 0; list &= list - 1, address += 4) {
    const auto number = static_cast<uint32_t>(std::countr_zero(list));
    if (!core.store<uint32_t>(address, reg(core, number))) return;
  }
  reg(core, Registers::kStack) = to;
}

/// Loads as many words as the list has registers.
inline bool Instructions::load_list(Core& core, uint32_t list, uint32_t address, uint32_t* values) {
  for (; list != 0; list &= list - 1, address += 4) {
    if (!core.load<uint32_t>(address, *values++)) return false;
  }
  return true;
}

void Instructions::pop(Core& core, uint32_t code) {
  constexpr uint32_t kPcBit = 1u << 8;  // behind r7
  const uint32_t list = code & (0xff | kPcBit);
  std::array<uint32_t, 9> values{};
  uint32_t& stack = reg(core, Registers::kStack);
  if (!load_list(core, list, stack, values.data())) return;
  stack += 4 * static_cast<uint32_t>(std::popcount(list));
  const uint32_t* value = values.data();
  for (uint32_t rest = list & 0xff; rest != 0; rest &= rest - 1) {
    reg(core, static_cast<uint32_t>(std::countr_zero(rest))) = *value++;
  }
  if ((list & kPcBit) != 0) {
    core.spent_ += cost::kPopPc;
    core.branch_exchange(*value);
  }
}

/// Where the base is in the list and not the first, what it stores is unknown (A6.7.58).
void Instructions::stm(Core& core, uint32_t code) {
  uint32_t& base = reg(core, of_stack(code));
  uint32_t address = base;
  for (uint32_t list = code & 0xff; list != 0; list &= list - 1, address += 4) {
    const auto number = static_cast<uint32_t>(std::countr_zero(list));
    if (!core.store<uint32_t>(address, reg(core, number))) return;
  }
  base = address;
}

/// The base is not changed if it is in the list.
void Instructions::ldm(Core& core, uint32_t code) {
  const uint32_t list = code & 0xff;
  std::array<uint32_t, 8> values{};
  uint32_t& base = reg(core, of_stack(code));
  if (!load_list(core, list, base, values.data())) return;
  const bool loaded = (list >> of_stack(code) & 1) != 0;
  if (!loaded) base += 4 * static_cast<uint32_t>(std::popcount(list));
  const uint32_t* value = values.data();
  for (uint32_t rest = list; rest != 0; rest &= rest - 1) {
    reg(core, static_cast<uint32_t>(std::countr_zero(rest))) = *value++;
  }
}

}  // namespace hocket::rp2040
