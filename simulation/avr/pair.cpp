#include "simulation/avr/pair.h"

#include <algorithm>

namespace hocket::avr {
namespace {

constexpr unsigned kReceive = 0, kTransmit = 1;  // the pins of Serial

/// Whether a receiver at one rate can read what is sent at another: a frame of 10 bits bears half a
/// bit of difference.
bool agree(uint32_t one, uint32_t other) {
  const uint64_t difference = one > other ? one - other : other - one;
  return difference * 20 <= std::max(one, other);
}

}  // namespace

Pair::Pair(Board& here, Board& there, const std::vector<Wire>& wires)
    : sides_{{here, {}}, {there, {}}} {
  for (const Wire& wire : wires) {
    sides_[0].lines.push_back(here.devices().line(wire.here));
    sides_[1].lines.push_back(there.devices().line(wire.there));
    if (wire.here == kTransmit && wire.there == kReceive) connect_serial(sides_[0], sides_[1]);
    if (wire.here == kReceive && wire.there == kTransmit) connect_serial(sides_[1], sides_[0]);
  }
  for (Side& side : sides_) side.states.resize(wires.size());
}

void Pair::connect_serial(Side& from, Side& to) {
  from.board.console().listen([&to](Nanos when, uint8_t byte) {
    to.coming.push_back({.when = when, .is_byte = true, .line = 0, .state = {}, .byte = byte});
  });
}

std::optional<program::StopReason> Pair::ended() const {
  for (const Side& side : sides_) {
    if (side.board.ended()) return side.board.ended();
  }
  return std::nullopt;
}

void Pair::step(Cycles end) {
  const bool first = sides_[0].board.cycle() <= sides_[1].board.cycle();
  Side &behind = sides_[first ? 0 : 1], &other = sides_[first ? 1 : 0];
  deliver(behind, other);
  Cycles limit = std::min(end, other.board.quiet_until());
  if (!behind.coming.empty()) limit = std::min(limit, cycles_at(behind.coming.front().when));
  if (!other.coming.empty()) limit = std::min(limit, cycles_at(other.coming.front().when));
  behind.board.step(std::max(limit, behind.board.cycle() + 1));
  collect(behind, other);
}

void Pair::deliver(Side& to, const Side& from) {
  const Nanos now = nanos(to.board.cycle());
  bool told = false;
  while (!to.coming.empty() && to.coming.front().when <= now) {
    const Change change = to.coming.front();
    to.coming.pop_front();
    if (change.is_byte) {
      arrive(to, from, change);
    } else {
      to.board.devices().line_drive(now, to.lines[change.line], change.state);
    }
    told = true;
  }
  if (told) to.board.told();
}

void Pair::arrive(Side& to, const Side& from, const Change& change) {
  sim::Devices& devices = to.board.devices();
  const uint32_t sent = from.board.devices().serial_baud(0), read = devices.serial_baud(0);
  if (read == 0 || sent == 0 || agree(sent, read)) {
    return devices.serial_arrive(nanos(to.board.cycle()), 0, change.byte);
  }
  if (to.warned) return;
  to.warned = true;
  to.board.notice("Serial receives at " + std::to_string(read) +
                  " baud, and the board at the other end sends at " + std::to_string(sent) +
                  ": these bytes are lost. Use the same rate in both.");
}

void Pair::collect(Side& from, Side& to) {
  for (size_t i = 0; i < from.lines.size(); ++i) {
    const sim::LineState state = from.board.devices().line_state(from.lines[i]);
    if (state == from.states[i]) continue;
    from.states[i] = state;
    const Nanos when = nanos(from.board.cycle());
    to.coming.push_back({.when = when, .is_byte = false, .line = i, .state = state, .byte = 0});
  }
}

}  // namespace hocket::avr
