// The world's side of the protocol: see session.h.
#include "simulation/peer/session.h"

#include <algorithm>

namespace hocket::world {

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
  if (kept_.beyond_the_end(request.time)) {
    refuse("went on after the end of the run, to " + std::to_string(request.time) + " ns");
  }
  if (!rule.fits(payload.size())) {
    refuse("sent \"" + name + "\" with " + std::to_string(payload.size()) +
           " bytes, which is no size of it");
  }
}

Answer Session::handle(const Request& request, Bytes payload) {
  const Rule& rule = Rule::of(request);
  check(request, rule, payload);
  time_ = request.time;
  if (rule.of_devices()) {
    devices_.advance(request.time);
    reached_ = request.time;
  }
  Answer answer;
  int64_t value = 0;
  using enum Rule::Kind;
  switch (rule.kind) {
    case Hello:
      append_bytes(answer.payload, hello(request));
      break;
    case Look:
      break;
    case Pin:
      value = calls_.pin(request);
      break;
    case Serial:
      value = calls_.serial(request, payload);
      break;
    case Bus:
      value = calls_.bus(request, payload, answer.payload);
      break;
    case Report:
      kept_.keep(request, payload);
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

void Session::goodbye(const Request& request) {
  if (request.a > static_cast<uint64_t>(End::Unusable)) refuse("ended the run for no known reason");
  const End end = static_cast<End>(request.a);
  if (end == End::Unusable && facts().reasons.empty() && facts().notices.empty()) {
    refuse("cannot use the sketch, but did not say why");
  }
  if (end != End::Unusable && !facts().run) refuse("said goodbye without the facts of the run");
  end_ = end;
}

program::StopReason Session::reason() const {
  using program::StopReason;
  if (end() == End::Fault) return StopReason::Fault;
  if (end() == End::Stopped && console_.wants_stop()) return *console_.wants_stop();
  if (end() == End::Stopped && asked_) return StopReason::Asked;
  return StopReason::Time;
}

Reply Session::reply(const Request& request, int64_t value) {
  Reply reply{};
  reply.value = value;
  reply.quiet_until = devices_.next_event();
  reply.look_at = look_at(request.time);
  const unsigned pins = std::min(devices_.pin_count(), kMostPins);
  for (unsigned pin = 0; pin < pins; ++pin) {
    if (devices_.pin_level(pin)) reply.levels[pin / 64] |= uint64_t{1} << pin % 64;
  }
  calls_.tell_edges(reply);
  reply.stop = asked_ || console_.wants_stop() || request.time >= options_.duration;
  return reply;
}

/// The instant at which a byte may end the run; at regular intervals in any case.
Nanos Session::look_at(Nanos now) const {
  const Nanos regular = (now / kLookEvery + 1) * kLookEvery;  // the same for many requests
  return std::min(regular, console_.stops_at(devices_));
}

}  // namespace hocket::world
