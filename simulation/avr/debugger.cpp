#include "simulation/avr/debugger.h"

#include <simavr/sim_avr.h>

#include <charconv>
#include <cstdio>
#include <string_view>
#include <vector>

namespace hocket::avr {
namespace {

constexpr uint32_t kData = 0x800000;  // gdb's address of data address 0
constexpr unsigned kRegisters = 32;
// gdb's register numbers: r0 … r31, SREG, SP, PC.
constexpr unsigned kSreg = 32, kStackPointer = 33, kPc = 34;
constexpr uint16_t kSpl = 0x5d;  // data sheet, 7.5.1
constexpr const char* kTrap = "S05";
constexpr const char* kInterrupted = "S02";
constexpr const char* kFault = "S0b";
constexpr const char* kWrong = "E01";
constexpr unsigned kStepsUnasked = 4096;  // between two reads of the link
constexpr uint32_t kMostBytes = 1024;     // of a packet

std::string hex(const std::vector<uint8_t>& bytes) {
  std::string text;
  char two[3];
  for (const uint8_t byte : bytes) {
    std::snprintf(two, sizeof two, "%02x", byte);
    text += two;
  }
  return text;
}

/// Takes a hexadecimal number and the character after it from the front.
std::optional<uint32_t> take_number(std::string_view& text) {
  uint32_t value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  if (read.ec != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<size_t>(read.ptr - text.data()));
  if (!text.empty()) text.remove_prefix(1);
  return value;
}

std::optional<std::vector<uint8_t>> take_bytes(std::string_view text) {
  std::vector<uint8_t> bytes;
  for (; text.size() >= 2; text.remove_prefix(2)) {
    std::string_view two = text.substr(0, 2);
    const auto byte = take_number(two);
    if (!byte) return std::nullopt;
    bytes.push_back(static_cast<uint8_t>(*byte));
  }
  return text.empty() ? std::optional(bytes) : std::nullopt;
}

std::vector<uint8_t> little_endian(uint32_t value, unsigned bytes) {
  std::vector<uint8_t> result;
  result.reserve(bytes);
  for (unsigned i = 0; i < bytes; ++i) result.push_back(static_cast<uint8_t>(value >> 8 * i));
  return result;
}

std::vector<uint8_t> register_of(const Mcu& mcu, avr_t* avr, unsigned number) {
  if (number < kRegisters) return {avr->data[number]};
  if (number == kStackPointer) return little_endian(mcu.stack_pointer(), 2);
  if (number == kPc) return little_endian(mcu.pc(), 4);
  uint8_t sreg = 0;
  for (unsigned bit = 0; bit < 8; ++bit) sreg |= static_cast<uint8_t>((avr->sreg[bit] & 1) << bit);
  return {sreg};
}

}  // namespace

bool Debugger::may_step() {
  if (mode_ == Mode::Killed) return false;
  if (mode_ == Mode::Detached) return true;
  if (mode_ != Mode::Stopped) {
    if (const char* const why = why_stop()) stop(why);
  }
  if (mode_ == Mode::Stopped) serve();
  return mode_ != Mode::Killed;
}

/// Between two instructions of a running program. Returns null if it continues.
const char* Debugger::why_stop() {
  if (++unasked_ >= kStepsUnasked) {
    unasked_ = 0;
    if (link_.asks_to_stop()) return kInterrupted;
  }
  if (fresh_) {
    fresh_ = false;
    return nullptr;
  }
  if (const uint16_t written = mcu_.written(); written != 0) {
    for (const auto& [address, bytes] : watched_) {
      if (written - address < bytes) {
        char text[32];
        std::snprintf(text, sizeof text, "T05watch:%06x;", kData + address);
        stopped_by_ = text;
        return stopped_by_.c_str();
      }
    }
  }
  if (mcu_.sleeping()) return nullptr;
  if (mode_ == Mode::Stepping) {
    if (!comes_back_ && mcu_.entered() != 0) {
      const auto sp = mcu_.stack_pointer();
      const unsigned high = mcu_.data(static_cast<uint16_t>(sp + 1));
      const unsigned low = mcu_.data(static_cast<uint16_t>(sp + 2));
      comes_back_ = Place{(high << 8 | low) * 2, static_cast<uint16_t>(sp + 2)};
    }
    if (!comes_back_) return kTrap;
    if (mcu_.pc() == comes_back_->pc && mcu_.stack_pointer() == comes_back_->stack_pointer) {
      return kTrap;
    }
  }
  return breakpoints_.count(mcu_.pc()) != 0 ? kTrap : nullptr;
}

void Debugger::stop(const char* why) {
  stopped_by_ = why;
  mode_ = Mode::Stopped;
  comes_back_.reset();
  link_.send(stopped_by_);
}

void Debugger::faulted() {
  if (mode_ == Mode::Detached || mode_ == Mode::Killed) return;
  stop(kFault);
  serve();
}

void Debugger::ended(int status) {
  if (mode_ == Mode::Detached || mode_ == Mode::Killed) return;
  char text[8];
  std::snprintf(text, sizeof text, "W%02x", static_cast<unsigned>(status) & 0xff);
  link_.send(text);
}

/// Serves gdb until the program must continue or end.
void Debugger::serve() {
  while (mode_ == Mode::Stopped) {
    const std::optional<std::string> packet = link_.receive();
    if (!packet) {
      mode_ = Mode::Killed;
      return;
    }
    switch (packet->empty() ? '\0' : packet->front()) {
      case 'c':
        resume(Mode::Running, packet->substr(1));
        break;
      case 's':
        resume(Mode::Stepping, packet->substr(1));
        break;
      case 'C':  // with a signal, which is ignored
        resume(Mode::Running, "");
        break;
      case 'S':
        resume(Mode::Stepping, "");
        break;
      case 'k':
        mode_ = Mode::Killed;
        break;
      case 'D':
        link_.send("OK");
        mode_ = Mode::Detached;
        break;
      default:
        link_.send(answer(*packet));
        if (*packet == "QStartNoAckMode") link_.without_acknowledgement();
    }
  }
}

void Debugger::resume(Mode mode, const std::string& where) {
  std::string_view text = where;
  if (const auto address = take_number(text)) mcu_.avr()->pc = *address;
  mode_ = mode;
  fresh_ = true;
}

std::string Debugger::answer(const std::string& packet) {
  switch (packet.empty() ? '\0' : packet.front()) {
    case '?':
      return stopped_by_;
    case 'g':
      return registers();
    case 'p':
      return one_register(packet);
    case 'P':
      return set_register(packet);
    case 'm':
      return memory(packet);
    case 'M':
      return set_memory(packet);
    case 'Z':
    case 'z':
      return change_stop(packet);
    case 'H':
    case 'T':
      return "OK";
    case 'q':
    case 'Q':
      return query(packet);
    default:
      return "";  // unknown
  }
}

std::string Debugger::query(const std::string& packet) const {
  const auto begins = [&packet](const char* with) { return packet.rfind(with, 0) == 0; };
  if (begins("qSupported")) return "PacketSize=1000;QStartNoAckMode+";
  if (packet == "QStartNoAckMode") return "OK";
  if (begins("qAttached")) return "0";  // it ends with the board
  if (packet == "qC") return "QC1";
  if (packet == "qfThreadInfo") return "m1";
  if (packet == "qsThreadInfo") return "l";
  return "";
}

/// Z0,ADDRESS,KIND and similar packets: sets a stop, or removes it (z). 0 and 1: breakpoints; 2: a
/// write watchpoint.
std::string Debugger::change_stop(const std::string& packet) {
  std::string_view text = packet;
  const bool set = text.front() == 'Z';
  text.remove_prefix(1);
  const auto kind = take_number(text);
  const auto address = take_number(text), bytes = take_number(text);
  if (!kind || !address || !bytes) return kWrong;
  if (*kind > 2) return "";
  if (*kind < 2) {
    set ? static_cast<void>(breakpoints_.insert(*address))
        : static_cast<void>(breakpoints_.erase(*address));
  } else if (*address < kData) {
    return kWrong;
  } else {
    set ? static_cast<void>(watched_[*address - kData] = *bytes)
        : static_cast<void>(watched_.erase(*address - kData));
  }
  return "OK";
}

std::string Debugger::registers() const {
  std::string text;
  for (unsigned i = 0; i <= kPc; ++i) text += hex(register_of(mcu_, mcu_.avr(), i));
  return text;
}

std::string Debugger::one_register(const std::string& packet) const {
  std::string_view text = packet;
  text.remove_prefix(1);
  const auto number = take_number(text);
  if (!number || *number > kPc) return kWrong;
  return hex(register_of(mcu_, mcu_.avr(), *number));
}

std::string Debugger::set_register(const std::string& packet) {
  std::string_view text = packet;
  text.remove_prefix(1);
  const auto number = take_number(text);
  const auto bytes = take_bytes(text);
  if (!number || !bytes || bytes->empty()) return kWrong;
  avr_t* const avr = mcu_.avr();
  uint32_t value = 0;
  for (size_t i = bytes->size(); i-- > 0;) value = value << 8 | (*bytes)[i];
  if (*number < kRegisters) {
    avr->data[*number] = static_cast<uint8_t>(value);
  } else if (*number == kSreg) {
    for (unsigned bit = 0; bit < 8; ++bit) avr->sreg[bit] = value >> bit & 1;
  } else if (*number == kStackPointer) {
    avr->data[kSpl] = static_cast<uint8_t>(value);
    avr->data[kSpl + 1] = static_cast<uint8_t>(value >> 8);
  } else if (*number == kPc) {
    avr->pc = value;
  } else {
    return kWrong;
  }
  return "OK";
}

std::string Debugger::memory(const std::string& packet) const {
  std::string_view text = packet;
  text.remove_prefix(1);
  const auto address = take_number(text), count = take_number(text);
  if (!address || !count) return kWrong;
  std::vector<uint8_t> bytes;
  const avr_t* const avr = mcu_.avr();
  for (uint32_t at = *address; bytes.size() < std::min(*count, kMostBytes); ++at) {
    if (at <= avr->flashend) {
      bytes.push_back(avr->flash[at]);
    } else if (at >= kData && at - kData <= avr->ramend) {
      bytes.push_back(mcu_.data(static_cast<uint16_t>(at - kData)));
    } else {
      break;
    }
  }
  return bytes.empty() && *count != 0 ? kWrong : hex(bytes);
}

std::string Debugger::set_memory(const std::string& packet) {
  std::string_view text = packet;
  text.remove_prefix(1);
  const auto address = take_number(text), count = take_number(text);
  const auto bytes = take_bytes(text);
  if (!address || !count || !bytes || bytes->size() != *count) return kWrong;
  avr_t* const avr = mcu_.avr();
  if (*address < kData || *address - kData + *count > uint32_t{avr->ramend} + 1) return kWrong;
  for (uint32_t i = 0; i < *count; ++i) {
    mcu_.set_data(static_cast<uint16_t>(*address - kData + i), (*bytes)[i]);
  }
  return "OK";
}

}  // namespace hocket::avr
