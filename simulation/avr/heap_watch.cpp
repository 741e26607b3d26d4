#include "simulation/avr/heap_watch.h"

#include "simulation/avr/asker.h"

namespace hocket::avr {
namespace {

// Where malloc() and realloc() get the requested size, and where they return their result
// (avr-gcc's convention).
constexpr uint16_t kBytesOfMalloc = 24, kBytesOfRealloc = 22, kGiven = 24;

constexpr size_t kMostCallers = 24;

/// An address within the call instruction before the return address: the line of the call, not the
/// next.
uint64_t call_site(uint32_t returns_to) {
  return returns_to - 2;
}

}  // namespace

HeapWatch::HeapWatch(const uno::Firmware& firmware)
    : firmware_(firmware),
      malloc_(firmware.address("malloc").value_or(kNowhere)),
      realloc_(firmware.address("realloc").value_or(kNowhere)) {}

void HeapWatch::begin(const Mcu& mcu) {
  const Mcu::Return back = mcu.return_address();
  call_ = {.returns_to = back.to,
           .stack = back.stack,
           .bytes = mcu.data16(mcu.pc() == malloc_ ? kBytesOfMalloc : kBytesOfRealloc)};
}

void HeapWatch::end(const Mcu& mcu, int asker) {
  const Call call = *call_;
  call_.reset();
  if (mcu.data16(kGiven) != 0 || call.bytes == 0) return;
  if (!no_room_)
    no_room_ = {.asker = name_of_asker(asker), .bytes = call.bytes, .codes = callers(mcu)};
  ++no_room_->times;
}

/// The calls from which the processor has not returned, innermost first. Images have no frame
/// chain, so this is each two or three bytes above the stack pointer that could be a return
/// address.
std::vector<uint64_t> HeapWatch::callers(const Mcu& mcu) const {
  std::vector<uint64_t> found{call_site(mcu.pc())};
  const unsigned bytes = mcu.chip().return_bytes;
  for (uint32_t at = mcu.stack_pointer() + 1U;
       at + bytes <= mcu.chip().data_end && found.size() < kMostCallers; ++at) {
    uint32_t address = 0;
    for (unsigned i = 0; i < bytes; ++i) {
      address = address << 8 | mcu.data(static_cast<uint16_t>(at + i));
    }
    address *= 2;
    if (follows_a_call(address)) found.push_back(call_site(address));
  }
  return found;
}

/// CALL, RCALL, ICALL or EICALL, by the instruction set manual.
bool HeapWatch::follows_a_call(uint32_t address) const {
  const auto& flash = firmware_.flash();
  const auto word = [&](uint32_t at) { return flash[at] | flash[at + 1] << 8; };
  if (address < 4 || address > flash.size()) return false;
  const int before = word(address - 2);
  return (word(address - 4) & 0xFE0E) == 0x940E || (before & 0xF000) == 0xD000 ||
         before == 0x9509 || before == 0x9519;
}

}  // namespace hocket::avr
