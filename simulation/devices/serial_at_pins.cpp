#include "simulation/devices/serial_at_pins.h"

namespace hocket::sim {
namespace {

constexpr unsigned kBits = 10;  // start, eight of the byte, stop

Nanos after(Nanos begin, unsigned half_bits, uint32_t baud) {
  return begin + half_bits * uint64_t{1'000'000'000} / (2 * uint64_t{baud});
}

}  // namespace

SerialAtPins::SerialAtPins(EventQueue& events, Pins& pins, unsigned number)
    : events_(events), pins_(pins), port_(events, silent_, number) {
  port_.connect(*this);
}

void SerialAtPins::take(const Wires& wires) {
  taken_ = true;
  wires_ = wires;
  if (wires.rx != kNoPin) pins_.listen(wires.rx, *this, 0);
}

void SerialAtPins::listen(bool on) {
  while (on && port_.available() > 0) port_.read();
  if (on) static_cast<void>(port_.overflowed());
  listens_ = on;
}

Nanos SerialAtPins::sends_at() const {
  return in_.busy ? after(in_.begin, 2 * kBits - 1, in_.baud) : kNever;
}

// --- Sending ---

void SerialAtPins::port_sends(Nanos now, uint8_t byte) {
  out_.begin = now;
  out_.baud = port_.baud();
  out_.bit = 0;
  out_.bits = (uint32_t{1} << 9) | (uint32_t{byte} << 1);
  ++out_.version;
  send_bit(now);
}

void SerialAtPins::send_bit(Nanos now) {
  // A line that has ended leaves its pin as it is.
  if (port_.begun() && wires_.tx != kNoPin)
    pins_.write(now, wires_.tx, ((out_.bits >> out_.bit & 1) != 0) != wires_.inverted);
  // The stop bit lasts until the next byte's start.
  if (++out_.bit < kBits)
    events_.schedule(after(out_.begin, 2 * out_.bit, out_.baud), *this, out_.version << 1 | kSends);
}

// --- Receiving ---

void SerialAtPins::level_changed(Nanos now, unsigned, bool high) {
  if (in_.busy || !port_.begun() || high != wires_.inverted) return;
  in_ = {.busy = true, .baud = port_.baud(), .begin = now, .version = in_.version + 1};
  schedule_middle(0);
}

void SerialAtPins::schedule_middle(unsigned bit) {
  events_.schedule(after(in_.begin, 2 * bit + 1, in_.baud), *this, in_.version << 1 | kHears);
}

void SerialAtPins::hear_bit(Nanos) {
  const bool one = pins_.level(wires_.rx) != wires_.inverted;
  if (in_.bit == 0 && one) {
    in_.busy = false;  // the line returned at once, so it was no start bit
  } else if (in_.bit + 1 == kBits) {
    heard(one);
  } else {
    in_.bits |= uint32_t{one} << in_.bit;
    schedule_middle(++in_.bit);
  }
}

void SerialAtPins::heard(bool whole) {
  in_.busy = false;
  if (!port_.begun()) return;
  if (!listens_)
    ++unheard_;
  else if (whole)
    port_.receive(static_cast<uint8_t>(in_.bits >> 1));
  else
    ++broken_;
}

void SerialAtPins::due(Nanos now, uint64_t token) {
  if ((token & 1) == kHears) {
    if (token >> 1 == in_.version) hear_bit(now);
  } else if (token >> 1 == out_.version) {
    send_bit(now);
  }
}

// --- Notifications ---

std::string SerialAtPins::name() const {
  const auto pin = [](unsigned number) {
    return number == kNoPin ? std::string("no pin") : pin_name(number);
  };
  return "SoftwareSerial (receives at " + pin(wires_.rx) + ", sends at " + pin(wires_.tx) + ")";
}

void SerialAtPins::facts(Facts& facts, Nanos end) const {
  port_.facts(facts, end);
  const auto number = [](unsigned pin) { return pin == kNoPin ? "null" : std::to_string(pin); };
  facts.json("rx", number(wires_.rx));
  facts.json("tx", number(wires_.tx));
  facts.count("broken_bytes", broken_);
  facts.count("unheard_bytes", unheard_);
}

std::string SerialAtPins::notice() const {
  if (unheard_ == 0 && broken_ == 0) return port_.notice(name());
  std::string text = name() + ": ";
  if (unheard_ > 0) {
    text += std::to_string(unheard_) +
            " bytes came while it was not listening; one of them listens at a time, that whose "
            "begin() or listen() was last.";
  }
  if (broken_ > 0) {
    text += (unheard_ > 0 ? " " : "") + std::to_string(broken_) +
            " bytes had no stop bit: the two ends may have different rates.";
  }
  const std::string lost = port_.notice(name());
  return lost.empty() ? text : text + " " + lost;
}

}  // namespace hocket::sim
