// The world's side of the protocol: see session.h.
#include "simulation/peer/session.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace hocket::world {
namespace {

static_assert(std::endian::native == std::endian::little, "requests are read as they come");

constexpr size_t kMostLoops = 1024;
constexpr size_t kMostFaults = 4096;
constexpr size_t kMostTexts = 4096;
constexpr size_t kCoreOfRecord = 8;  // where a record of the event log names its core

[[noreturn]] void refuse(const std::string& text) {
  throw ProtocolError{text};
}

/// A number of the sketch's or the kernel's that has 32 bits in their calls.
uint32_t narrow(uint64_t value, const char* what) {
  if (value > UINT32_MAX) refuse(std::string("sent a ") + what + " beyond 32 bits");
  return static_cast<uint32_t>(value);
}

/// Appends an array that came as bytes.
template <class Element>
void append(std::vector<Element>& to, Bytes payload, size_t most, const char* what) {
  const size_t count = payload.size() / sizeof(Element);
  if (to.size() + count > most) refuse(std::string("sent too many facts of ") + what);
  const size_t before = to.size();
  to.resize(before + count);
  if (count > 0) std::memcpy(&to[before], payload.data(), payload.size());
}

/// Appends a structure as bytes.
template <class Structure>
void append(std::vector<uint8_t>& to, const Structure& value) {
  const auto* bytes = reinterpret_cast<const uint8_t*>(&value);
  to.insert(to.end(), bytes, bytes + sizeof value);
}

void append(std::vector<std::string>& to, Bytes payload) {
  if (to.size() >= kMostTexts) refuse("sent too many texts");
  to.emplace_back(payload.begin(), payload.end());
}

}  // namespace

// --- What each operation looks like ---

struct Session::Rule {
  enum class Kind : uint8_t { Hello, Look, Pin, Serial, Bus, Report, Goodbye };
  Operation operation;
  const char* name;
  Kind kind;
  uint32_t unit = 0;  // the payload is a multiple of this; 0: there is none
  bool once = false;  // exactly one unit
};

const Session::Rule& Session::rule(const Request& request) {
  using enum Rule::Kind;
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
      {Operation::Reason, "reason", Report, 1},
      {Operation::Notice, "notice", Report, 1},
      {Operation::Goodbye, "goodbye", Goodbye},
  };
  for (const Rule& each : kRules) {
    if (static_cast<uint16_t>(each.operation) == request.operation) return each;
  }
  refuse("sent the unknown operation " + std::to_string(request.operation));
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

// --- Requests ---

void Session::check(const Request& request, const Rule& rule, Bytes payload) const {
  const std::string name = rule.name;
  if (over()) refuse("sent \"" + name + "\" after it had said goodbye");
  if (begun_ == (rule.kind == Rule::Kind::Hello)) {
    refuse(begun_ ? "said hello twice" : "sent \"" + name + "\" before it had said hello");
  }
  if (request.core >= options_.cores) {
    refuse("sent \"" + name + "\" from core " + std::to_string(request.core) + " of " +
           std::to_string(options_.cores));
  }
  if (request.time < time_) {
    refuse("went back in time: \"" + name + "\" came at " + std::to_string(request.time) +
           " ns after a request at " + std::to_string(time_) + " ns");
  }
  if (request.time > options_.duration && request.time - options_.duration > kGrace) {
    refuse("went on after the end of the run, to " + std::to_string(request.time) + " ns");
  }
  const bool fits = rule.unit == 0 ? payload.empty()
                    : rule.once    ? payload.size() == rule.unit
                                   : payload.size() % rule.unit == 0;
  if (!fits) {
    refuse("sent \"" + name + "\" with " + std::to_string(payload.size()) +
           " bytes, which is no size of it");
  }
}

Answer Session::handle(const Request& request, Bytes payload) {
  const Rule& rule = Session::rule(request);
  check(request, rule, payload);
  time_ = request.time;
  using enum Rule::Kind;
  const bool device =
      rule.kind == Look || rule.kind == Pin || rule.kind == Serial || rule.kind == Bus;
  if (device) {
    devices_.advance(request.time);
    reached_ = request.time;
  }
  Answer answer;
  int64_t value = 0;
  switch (rule.kind) {
    case Hello:
      append(answer.payload, hello(request));
      break;
    case Look:
      break;
    case Pin:
      value = pin(request);
      break;
    case Serial:
      value = serial(request, payload);
      break;
    case Bus:
      value = bus(request, payload, answer.payload);
      break;
    case Report:
      keep(request, payload);
      break;
    case Goodbye:
      goodbye(request);
      break;
  }
  answer.reply = reply(request, value);
  answer.reply.payload = static_cast<uint32_t>(answer.payload.size());
  return answer;
}

Settings Session::hello(const Request& request) {
  if (request.a != kVersion) {
    refuse("speaks version " + std::to_string(request.a) + " of the protocol, not " +
           std::to_string(kVersion));
  }
  if (request.b < options_.cores) {
    refuse("found " + std::to_string(request.b) + " cores, not " + std::to_string(options_.cores));
  }
  begun_ = true;
  return {.duration = options_.duration,
          .seed = options_.seed,
          .cores = options_.cores,
          .check_only = options_.check_only,
          .log = log_.is_open(),
          .pin_count = devices_.pin_count(),
          .analog_base = devices_.analog_base(),
          .analog_count = devices_.analog_count(),
          .serial_count = devices_.serial_count(),
          .i2c_count = devices_.i2c_count(),
          .spi_count = devices_.spi_count(),
          .eeprom_size = devices_.eeprom_size()};
}

int64_t Session::pin(const Request& request) {
  const uint32_t pin = narrow(request.a, "pin");
  const uint32_t b = narrow(request.b, "parameter of a pin");
  const uint32_t c = narrow(request.c, "parameter of a pin");
  const Nanos now = request.time;
  switch (static_cast<Operation>(request.operation)) {
    case Operation::PinMode:
      return b <= UINT8_MAX && devices_.pin_mode(now, pin, static_cast<sys::PinMode>(b));
    case Operation::PinWrite:
      return devices_.pin_write(now, pin, b != 0);
    case Operation::PinRead:
      return devices_.pin_read(now, pin);
    case Operation::AnalogRead:
      return devices_.analog_read(now, pin, b);
    case Operation::PwmWrite:
      return devices_.pwm_write(now, pin, b, c);
    case Operation::ToneStart:
      return devices_.tone_start(now, pin, b, c);
    case Operation::ToneStop:
      return devices_.tone_stop(now, pin);
    case Operation::PinWatch:
      return watch(now, pin, b);
    default:  // the rules name no other
      return devices_.servo_write(now, pin, b);
  }
}

/// Only the modes of edges: a level is in each reply as it is.
bool Session::watch(Nanos now, uint32_t pin, uint32_t mode) {
  const auto forget = [&](unsigned number) {
    if (!watched_.test(number)) return;
    static_cast<void>(devices_.edges_release(now, number));
    watched_.reset(number);
  };
  if (pin == kMostPins) {
    for (unsigned number = 0; number < kMostPins; ++number) forget(number);
    edges_seen_.fill(0);
    return true;
  }
  if (pin >= kMostPins || !devices_.edges_possible(pin)) return false;
  forget(pin);
  const auto wanted = static_cast<sys::EdgeMode>(mode);
  if (mode < sys::kEdgeModes && wanted != sys::EdgeMode::Low && wanted != sys::EdgeMode::High) {
    static_cast<void>(devices_.edges_watch(now, pin, wanted, /*line=*/0));
    watched_.set(pin);
  }
  return true;
}

int64_t Session::serial(const Request& request, Bytes payload) {
  const uint32_t port = narrow(request.a, "serial port");
  const Nanos now = request.time;
  const auto count = [](size_t n) { return static_cast<int64_t>(n); };
  switch (static_cast<Operation>(request.operation)) {
    case Operation::SerialBegin:
      return devices_.serial_begin(now, port, narrow(request.b, "baud rate"),
                                   narrow(request.c, "serial buffer"));
    case Operation::SerialEnd:
      devices_.serial_end(now, port);
      return 0;
    case Operation::SerialAvailable:
      return count(devices_.serial_available(now, port));
    case Operation::SerialRoom:
      return count(devices_.serial_room(now, port));
    case Operation::SerialRead:
      return devices_.serial_read(now, port);
    case Operation::SerialPeek:
      return devices_.serial_peek(now, port);
    case Operation::SerialWrite:
      return count(devices_.serial_write(now, port, payload.data(), payload.size()));
    case Operation::SerialBegun:
      return devices_.serial_begun(port);
    case Operation::SerialLine:
      return devices_.serial_line(now, port, narrow(request.b, "pin"), request.c != 0);
    case Operation::SerialListen:
      devices_.serial_listen(now, port, request.b != 0);
      return 0;
    case Operation::SerialOverflowed:
      return devices_.serial_overflowed(now, port);
    case Operation::SerialRoomAt:
      return static_cast<int64_t>(devices_.serial_room_at(port, request.b));
    default:  // the rules name no other
      return static_cast<int64_t>(devices_.serial_data_at(port));
  }
}

int64_t Session::bus(const Request& request, Bytes payload, std::vector<uint8_t>& answer) {
  switch (static_cast<Operation>(request.operation)) {
    case Operation::I2cTransfer:
      return i2c(request, payload, answer);
    case Operation::SpiTransfer:
      return spi(request, payload, answer);
    case Operation::EepromRead:
      return devices_.eeprom_read(request.time, narrow(request.a, "address of the EEPROM"));
    default:  // the rules name no other
      devices_.eeprom_write(request.time, narrow(request.a, "address of the EEPROM"),
                            static_cast<uint8_t>(request.b));
      return 0;
  }
}

int64_t Session::i2c(const Request& request, Bytes payload, std::vector<uint8_t>& answer) {
  const I2cWords words = I2cWords::from(request.b, request.c);
  if (words.reads > sys::kLongestI2c || payload.size() > sys::kLongestI2c)
    refuse("sent an I2C transfer that is too long");
  const sys::I2cTransfer asked{.out = nullptr,
                               .in = nullptr,
                               .out_size = static_cast<uint16_t>(payload.size()),
                               .in_size = static_cast<uint16_t>(words.reads),
                               .hertz = narrow(words.hertz, "clock of a bus"),
                               .received = 0,
                               .address = static_cast<uint8_t>(words.address),
                               .writes = words.writes};
  std::vector<uint8_t> in(words.reads);
  const sim::I2cAnswer done = devices_.i2c_transfer(request.time, narrow(request.a, "bus"), asked,
                                                    payload.data(), in.data());
  append(answer, I2cAnswer{.lasts = done.lasts,
                           .end = static_cast<uint32_t>(done.end),
                           .received = static_cast<uint32_t>(done.received)});
  answer.insert(answer.end(), in.begin(), in.begin() + static_cast<ptrdiff_t>(done.received));
  return 0;
}

int64_t Session::spi(const Request& request, Bytes payload, std::vector<uint8_t>& answer) {
  const SpiWords words = SpiWords::from(request.b, request.c);
  if (words.size > sys::kLongestSpi || (!payload.empty() && payload.size() != words.size))
    refuse("sent an SPI transfer that is too long, or not as long as it says");
  const sys::SpiTransfer asked{.out = nullptr,
                               .in = nullptr,
                               .size = static_cast<uint32_t>(words.size),
                               .hertz = narrow(words.hertz, "clock of a bus"),
                               .mode = static_cast<uint8_t>(words.mode),
                               .lowest_first = words.lowest_first};
  if (words.wanted) answer.resize(words.size);
  const Nanos lasts = devices_.spi_transfer(request.time, narrow(request.a, "bus"), asked,
                                            payload.empty() ? nullptr : payload.data(),
                                            words.wanted ? answer.data() : nullptr);
  return static_cast<int64_t>(lasts);
}

// --- What is kept for the report ---

void Session::keep(const Request& request, Bytes payload) {
  switch (static_cast<Operation>(request.operation)) {
    case Operation::Log:
      for (size_t at = 0; at < payload.size(); at += program::LogFile::kRecord) {
        if (payload[at + kCoreOfRecord] >= options_.cores) refuse("logged an event of no core");
      }
      log_.append(payload.data(), payload.size());
      break;
    case Operation::Facts:
      if (facts_.run) refuse("sent the facts of the run twice");
      std::memcpy(&facts_.run.emplace(), payload.data(), sizeof(RunFacts));
      check_run(*facts_.run);
      break;
    case Operation::CoreFacts:
      append(facts_.cores, payload, options_.cores, "cores");
      break;
    case Operation::LoopFacts:
      append(facts_.loops, payload, kMostLoops, "loops");
      for (const LoopFacts& loop : facts_.loops) check_loop(loop);
      break;
    case Operation::FaultFacts:
      append(facts_.faults, payload, kMostFaults, "faults");
      break;
    case Operation::InterruptFacts:
      append(facts_.interrupts, payload, kMostLoops, "interrupts");
      for (const InterruptFacts& each : facts_.interrupts) check_interrupt(each);
      break;
    case Operation::BesideFacts:
      if (facts_.beside) refuse("sent the facts of the system beside twice");
      std::memcpy(&facts_.beside.emplace(), payload.data(), sizeof(BesideFacts));
      check_beside(*facts_.beside);
      break;
    case Operation::Reason:
      append(facts_.reasons, payload);
      break;
    default:  // the rules name no other
      append(facts_.notices, payload);
      break;
  }
}

void Session::check_run(const RunFacts& run) const {
  if (run.cores != options_.cores) {
    refuse("ran on " + std::to_string(run.cores) + " cores, not " + std::to_string(options_.cores));
  }
  if (run.duration > options_.duration && run.duration - options_.duration > kGrace) {
    refuse("says that the run lasted " + std::to_string(run.duration) + " ns");
  }
}

void Session::check_loop(const LoopFacts& loop) const {
  if (loop.core >= options_.cores) {
    refuse("says that loop " + std::to_string(loop.id) + " was on core " +
           std::to_string(loop.core) + " of " + std::to_string(options_.cores));
  }
}

void Session::check_beside(const BesideFacts& beside) const {
  if (beside.state < static_cast<uint32_t>(BesideState::Running) ||
      beside.state > static_cast<uint32_t>(BesideState::Restarting)) {
    refuse("says that the system beside is in the state " + std::to_string(beside.state));
  }
  if (beside.cores_on > options_.cores) {
    refuse("says that the system beside has " + std::to_string(beside.cores_on) + " cores of " +
           std::to_string(options_.cores));
  }
  for (const uint64_t time : beside.time) {
    if (time > time_) {
      refuse("says that the system beside had " + std::to_string(time) + " ns of a core after " +
             std::to_string(time_) + " ns");
    }
  }
}

void Session::check_interrupt(const InterruptFacts& interrupt) {
  if (interrupt.mode >= sys::kEdgeModes) {
    refuse("says that an interrupt has the mode " + std::to_string(interrupt.mode));
  }
}

void Session::goodbye(const Request& request) {
  if (request.a > static_cast<uint64_t>(End::Unusable)) refuse("ended the run for no known reason");
  const End end = static_cast<End>(request.a);
  if (end == End::Unusable && facts_.reasons.empty() && facts_.notices.empty()) {
    refuse("cannot use the sketch, but did not say why");
  }
  if (end != End::Unusable && !facts_.run) refuse("said goodbye without the facts of the run");
  end_ = end;
}

program::StopReason Session::reason() const {
  using program::StopReason;
  if (end() == End::Fault) return StopReason::Fault;
  if (end() == End::Stopped && console_.wants_stop()) return *console_.wants_stop();
  if (end() == End::Stopped && asked_) return StopReason::Asked;
  return StopReason::Time;
}

// --- Answers ---

Reply Session::reply(const Request& request, int64_t value) {
  Reply reply{};
  reply.value = value;
  reply.quiet_until = devices_.next_event();
  reply.look_at = look_at(request.time);
  const unsigned pins = std::min(devices_.pin_count(), kMostPins);
  for (unsigned pin = 0; pin < pins; ++pin) {
    if (devices_.pin_level(pin)) reply.levels[pin / 64] |= uint64_t{1} << pin % 64;
  }
  tell_edges(reply);
  reply.stop = asked_ || console_.wants_stop() || request.time >= options_.duration;
  return reply;
}

/// Takes what the watched pins have had.
void Session::tell_edges(Reply& reply) {
  reply.first_edge = kNever;
  if (watched_.none()) return;
  for (unsigned pin = 0; pin < kMostPins; ++pin) {
    if (!watched_.test(pin)) continue;
    const sim::Edges edges = devices_.edges_take(devices_.reached(), pin);
    if (edges.count == 0) continue;
    reply.edges[pin / 64] |= uint64_t{1} << pin % 64;
    edges_seen_.at(pin) += edges.count;
    reply.first_edge = std::min<uint64_t>(reply.first_edge, edges.first);
  }
}

/// When a byte leaves that ends the run; now and then in any case.
Nanos Session::look_at(Nanos now) const {
  const Nanos regular = (now / kLookEvery + 1) * kLookEvery;  // the same for many requests
  return std::min(regular, console_.stops_at(devices_));
}

}  // namespace hocket::world
