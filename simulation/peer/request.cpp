// The kernel's requests: see request.h.
#include "simulation/peer/request.h"

#include <bit>
#include <cstring>

#include "simulation/program/log_file.h"

namespace hocket::world {

static_assert(std::endian::native == std::endian::little, "requests are read as they come");

void refuse(const std::string& text) {
  throw ProtocolError{text};
}

const Rule& Rule::of(const Request& request) {
  using enum Kind;
  static constexpr Rule kRules[] = {
      {Operation::Hello, "hello", Hello},
      {Operation::Look, "look", Look},
      {Operation::PinMode, "pin mode", Pin},
      {Operation::PinWrite, "pin write", Pin},
      {Operation::PinRead, "pin read", Pin},
      {Operation::AnalogRead, "analog read", Pin},
      {Operation::PwmWrite, "PWM write", Pin},
      {Operation::ToneStart, "tone start", Pin},
      {Operation::ToneStop, "tone stop", Pin},
      {Operation::ServoWrite, "servo write", Pin},
      {Operation::PinWatch, "pin watch", Pin},
      {Operation::SerialBegin, "serial begin", Serial},
      {Operation::SerialEnd, "serial end", Serial},
      {Operation::SerialAvailable, "serial available", Serial},
      {Operation::SerialRoom, "serial room", Serial},
      {Operation::SerialRead, "serial read", Serial},
      {Operation::SerialPeek, "serial peek", Serial},
      {Operation::SerialWrite, "serial write", Serial, 1},
      {Operation::SerialBegun, "serial begun", Serial},
      {Operation::SerialRoomAt, "serial room at", Serial},
      {Operation::SerialDataAt, "serial data at", Serial},
      {Operation::SerialLine, "serial line", Serial},
      {Operation::SerialListen, "serial listen", Serial},
      {Operation::SerialOverflowed, "serial overflowed", Serial},
      {Operation::I2cTransfer, "I2C transfer", Bus, 1},
      {Operation::SpiTransfer, "SPI transfer", Bus, 1},
      {Operation::EepromRead, "EEPROM read", Bus},
      {Operation::EepromWrite, "EEPROM write", Bus},
      {Operation::Log, "log", Report, program::LogFile::kRecord},
      {Operation::Facts, "facts", Report, sizeof(RunFacts), true},
      {Operation::CoreFacts, "core facts", Report, sizeof(CoreFacts)},
      {Operation::LoopFacts, "loop facts", Report, sizeof(LoopFacts)},
      {Operation::FaultFacts, "fault facts", Report, sizeof(FaultFacts)},
      {Operation::InterruptFacts, "interrupt facts", Report, sizeof(InterruptFacts)},
      {Operation::BesideFacts, "facts of the system beside", Report, sizeof(BesideFacts), true},
      {Operation::NoRoomFacts, "facts of memory", Report, sizeof(NoRoomFacts), true},
      {Operation::BoundCosts, "costs of bounds", Report, sizeof(stated::Costs), true},
      {Operation::BoundRanks, "ranks of bounds", Report, sizeof(stated::Rank)},
      {Operation::BoundInterrupts, "interrupts of bounds", Report, sizeof(stated::Interrupts)},
      {Operation::BoundDelivery, "deliveries of bounds", Report, sizeof(stated::Delivery)},
      {Operation::BoundDirect, "direct handlers of bounds", Report, sizeof(stated::Direct)},
      {Operation::Reason, "reason", Report, 1},
      {Operation::Notice, "notice", Report, 1},
      {Operation::Goodbye, "goodbye", Goodbye},
  };
  for (const Rule& each : kRules) {
    if (static_cast<uint16_t>(each.operation) == request.operation) return each;
  }
  refuse("sent the unknown operation " + std::to_string(request.operation));
}

bool Rule::fits(size_t payload) const {
  if (unit == 0) return payload == 0;
  return once ? payload == unit : payload % unit == 0;
}

bool Rule::of_devices() const {
  using enum Kind;
  return kind == Look || kind == Pin || kind == Serial || kind == Bus;
}

bool RequestReader::next(Request& request, std::vector<uint8_t>& payload) {
  if (bytes_.size() < sizeof request) return false;
  std::memcpy(&request, bytes_.data(), sizeof request);
  if (request.payload > kMostPayload) {
    refuse("announced a payload of " + std::to_string(request.payload) + " bytes");
  }
  const size_t whole = sizeof request + request.payload;
  if (bytes_.size() < whole) return false;
  const auto begin = bytes_.begin();
  payload.assign(begin + sizeof request, begin + static_cast<ptrdiff_t>(whole));
  bytes_.erase(begin, begin + static_cast<ptrdiff_t>(whole));
  return true;
}

}  // namespace hocket::world
