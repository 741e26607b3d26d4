// The peer's pins on lines of the board's pin block (board_pins.h), and the generator of their
// edges (generator.h).
#include "arduino/runtime/lone_edges.h"
#include "arduino/surroundings/peer/world.h"
#include "board_kernel.h"
#include "generator.h"
#include "handler_call.h"

namespace hocket {
namespace {

using peer::PinBlock;
using Port = Board::Port;
using Instant = BasicInstant<int64_t>;
using sys::EdgeMode;
using world::Operation;

using Line = LineOfBlock;
constexpr auto& lines = PeerPins::lines;
constexpr unsigned kLines = PinBlock::kLines;
constexpr unsigned kFirst = peer::kFirstLine;  // lower lines are the board's own
constexpr unsigned kNone = kLines;
/// A mode that ends watching.
constexpr uint64_t kForget = 0xff;

/// One of the runtime's lines: a group of the block's lines.
struct Group {
  PinBlock::Lines lines;
  bool masked;
  port::LineHandler handler;
  void* argument;
};
constexpr unsigned kGroups = PeerPins::kDirectLine + 1;

Group groups[kGroups];
PinBlock::Lines unmasked;  // lines whose pins are not masked individually
bool attached;
CoreId attached_to;
uint8_t lines_of[PeerPins::kPins];  // indexed by pin: the line's number plus one; 0: none
unsigned used;
bool timer_is_ours[Port::kCores];

/// Protects `lines` and the block's registers. Innermost: the generator takes it inside the wire's.
Port::Lock lock;

class Locked {
 public:
  Locked() { Port::lock(lock); }
  ~Locked() { Port::unlock(lock); }
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;
};

constexpr PinBlock::Lines bit(unsigned line) {
  return static_cast<PinBlock::Lines>(1u << line);
}
constexpr bool is_level(EdgeMode mode) {
  return mode == EdgeMode::Low || mode == EdgeMode::High;
}
bool told(const uint64_t (&bits)[world::kMostPins / 64], unsigned pin) {
  return (bits[pin / 64] >> pin % 64 & 1) != 0;
}

/// The line of a pin that is watched.
unsigned line_of(unsigned pin) {
  return lines_of[pin] - 1u;
}

bool is_one(unsigned set) {
  return (set & (set - 1)) == 0;
}
unsigned first_of(unsigned set) {
  return static_cast<unsigned>(__builtin_ctz(set));
}
/// The lines of a group that have an edge and are not masked individually.
unsigned asking_lines(unsigned group) {
  return PinBlock::remembered() & groups[group - PeerPins::kLine].lines & unmasked;
}
/// Among a set of the block's lines, the one of the first pin from `from` on, wrapping round.
unsigned nearest(unsigned set, unsigned from) {
  unsigned found = first_of(set);
  for (set &= set - 1; set != 0; set &= set - 1) {
    const unsigned other = first_of(set);
    if ((lines[other].pin - from) % PeerPins::kPins < (lines[found].pin - from) % PeerPins::kPins) {
      found = other;
    }
  }
  return found;
}

/// Searches from the highest line down, because a sketch with direct access to the block's
/// registers (TrustedPins.h) may use the lower ones.
unsigned free_line() {
  unsigned line = kLines;
  while (line > kFirst && lines[line - 1].pin != Line::kFree) --line;
  return line == kFirst ? kNone : line - 1;
}

void drive(unsigned line, bool high) {
  PinBlock::make_edge(bit(line), high ? bit(line) : PinBlock::Lines{0});
  lines[line].high = high;
}

/// There were edges of the mode: produces one at the line, whatever its present level.
void make_edge(unsigned line, bool high) {
  const EdgeMode mode = lines[line].mode;
  const bool to = mode == EdgeMode::Change ? high : mode == EdgeMode::Rising;
  drive(line, !to);
  drive(line, to);
}

/// With the lock.
void follow_pin(unsigned number, const world::Reply& reply, Instant now) {
  Line& line = lines[number];
  const bool high = told(reply.levels, line.pin);
  if (is_level(line.mode)) {
    if (high != line.high && high == (line.mode == EdgeMode::High)) line.first = now;
  } else if (told(reply.edges, line.pin)) {
    const bool remembered = (PinBlock::remembered() & bit(number)) != 0;
    if (!remembered) line.first = Board::instant(reply.first_edge);
    make_edge(number, high);
  }
  if (high != line.high) drive(number, high);
}

/// Assigns the pin to a free line, and sets its detector to the mode.
void begin_to_follow(unsigned pin, EdgeMode mode, bool high, unsigned group, void* known) {
  const Locked locked;
  const unsigned number = free_line();
  lines[number].group = static_cast<uint8_t>(group);
  lines[number].known = known;
  groups[group].lines |= bit(number);
  unmasked |= bit(number);
  lines[number].mode = mode;
  lines[number].first = System::now();
  drive(number, high);
  switch (mode) {
    case EdgeMode::Low:
    case EdgeMode::High:
      PinBlock::set_level(bit(number), mode == EdgeMode::High);
      break;
    case EdgeMode::Change:
      PinBlock::set_edges(bit(number), drivers::Edges::Both);
      break;
    default:
      PinBlock::set_edges(
          bit(number), mode == EdgeMode::Rising ? drivers::Edges::Rising : drivers::Edges::Falling);
  }
  if (groups[group].masked) PinBlock::mask(bit(number));
  lines[number].pin = static_cast<uint8_t>(pin);
  lines_of[pin] = static_cast<uint8_t>(number + 1);
}

/// Serves one group that asks. Other groups interrupt again.
[[gnu::noinline]] void on_group(unsigned pending) {
  if (pending == 0) return;
  const Line& line = lines[first_of(pending)];
  const Group& group = groups[line.group];
  if (line.pin == Line::kFree || group.handler == nullptr) [[unlikely]] {
    // The sketch has enabled this line through the registers itself, and nothing handles it.
    return PinBlock::mask(static_cast<PinBlock::Lines>(pending & -pending));
  }
  group.handler(group.argument);
}

/// One or several lines ask, none of them for direct handlers.
[[gnu::noinline]] void on_handlers(unsigned pending) {
  if (direct::kCallsAtOnce && is_one(pending) && pending != 0) [[likely]] {
    const PeerPins::Edge edge(pending);
    if (edge.known() != nullptr && runtime::interrupts::handler_edge(edge)) [[likely]]
      return;
  }
  on_group(pending);
}

/// The block's interrupt. (The path of direct handlers saves no registers for the others.)
void on_block(void*) {
  const unsigned pending = PinBlock::pending();
  const Group& direct = groups[PeerPins::kDirectLine];
  const unsigned asking = pending & direct.lines;
  if (asking == 0) return on_handlers(pending);
  if (direct::kCallsAtOnce && is_one(asking)) [[likely]]
    return runtime::interrupts::direct_edge(PeerPins::Edge(asking));
  direct.handler(direct.argument);
}

// --- The generator's timer ---

/// The instant of each core's next look, by the board's clock.
uint64_t planned[Port::kCores];

/// The instant at which the current interrupt came. The kernel's entry is some instructions shorter
/// from a few places, so an estimate could be before the timer's instant. A look at an earlier
/// instant would change nothing, and the timer would fire again at once, for ever.
Port::Ticks entry() {
  const Port::Ticks now = Port::now();
  const Port::Ticks counted = now - static_cast<Port::Ticks>(SpareTimer::kEntry);
  const Port::Ticks due = Board::ticks(planned[Port::core_id()]);
  return counted >= due ? counted : due < now ? due : now;
}

/// Whether the generator's time is subtracted from the clock. Not on several cores: each would have
/// to subtract it, and they share one clock in the emulator. Times are only indicative there.
bool takes_no_time() {
  return Port::kCores == 1 && SpareTimer::can_take_out();
}

void look() {
  if (!generator::is_on()) return SpareTimer::off();
  const Port::Ticks entered = entry();
  world::look(Board::nanoseconds(entered));
  if (takes_no_time()) {
    const uint64_t way_out = SpareTimer::way_out();
    SpareTimer::take_out(static_cast<uint64_t>(Port::now() - entered) + way_out);
  }
  world::after_edges();
}

/// The timer's line: an instant at which something changes in the peer's world.
void on_timer(void*) {
  look();
}

/// Attaches the timer's interrupt on the calling core.
void have_timer() {
  bool& ours = timer_is_ours[Port::core_id()];
  if (ours) return;
  const port::LineUse use{
      .trigger = port::Trigger::Level, .level = port::Level::RealTime, .core = Port::core_id()};
  if (!Port::line_attach(SpareTimer::kId, &on_timer, nullptr, use)) {
    Port::halt("the generator of edges has no timer");
  }
  Port::line_unmask(SpareTimer::kId);
  ours = true;
}

void plan(uint64_t instant) {
  have_timer();
  if (instant > INT64_MAX) return SpareTimer::off();
  planned[Port::core_id()] = instant;
  SpareTimer::set(static_cast<uint64_t>(Board::ticks(instant)));
}

}  // namespace

void generator::follow(const world::Reply& reply, uint64_t now) {
  {
    const Locked locked;
    for (unsigned line = 0; line < kLines; ++line) {
      if (lines[line].pin != Line::kFree) follow_pin(line, reply, Board::instant(now));
    }
  }
  plan(reply.quiet_until);
}

void generator::begin_again() {
  world::ask(Operation::PinWatch, world::kMostPins, kForget);
}

bool PeerPins::has_interrupt(unsigned pin) {
  if (pin >= kPins || pin >= world::settings().pin_count) return false;
  return lines_of[pin] != 0 || free_line() != kNone;
}

bool PeerPins::attach_line(unsigned number, port::LineHandler handler, void* argument) {
  groups[number - kLine].handler = handler;
  groups[number - kLine].argument = argument;
  if (attached) return attached_to == Port::core_id();
  attached_to = Port::core_id();
  const port::LineUse use{
      .trigger = port::Trigger::Level, .level = port::Level::RealTime, .core = attached_to};
  attached = Port::line_attach(peer::kPinBlockInterrupt, &on_block, nullptr, use);
  if (attached) Port::line_unmask(peer::kPinBlockInterrupt);
  return attached;
}

void PeerPins::mask_line(unsigned number) {
  const Locked locked;
  Group& group = groups[number - kLine];
  group.masked = true;
  PinBlock::mask(group.lines);
}

void PeerPins::unmask_line(unsigned number) {
  const Locked locked;
  Group& group = groups[number - kLine];
  group.masked = false;
  PinBlock::unmask(group.lines & unmasked);
}

void PeerPins::watch(unsigned pin, EdgeMode mode, unsigned line, void* known) {
  if (used++ == 0) PinBlock::mask(0xff);  // removes what was there before a restart of the sketch
  begin_to_follow(pin, mode, world::pin_level(pin) != 0, line - kLine, known);
  generator::on.store(true, order::relaxed);
  // From this reply on.
  world::ask(Operation::PinWatch, pin, static_cast<uint64_t>(mode));
}

PeerPins::Edges PeerPins::release(unsigned pin) {
  // Edges up to now have been made, and so are in the block.
  world::ask(Operation::PinWatch, pin, kForget);
  const Edges rest = take(pin);
  const Locked locked;
  const unsigned number = line_of(pin);
  PinBlock::mask(bit(number));
  groups[lines[number].group].lines &= static_cast<PinBlock::Lines>(~bit(number));
  lines[number].pin = Line::kFree;
  lines_of[pin] = 0;
  if (--used == 0) generator::on.store(false, order::relaxed);
  return rest;
}

PeerPins::Edges PeerPins::take(unsigned pin) {
  const Locked locked;
  const unsigned number = line_of(pin);
  const Line& line = lines[number];
  if ((PinBlock::remembered() & bit(number)) == 0) return {0, 0, System::now()};
  PinBlock::clear(bit(number));
  return {1, 0, line.first};  // the peer counts how many have merged
}

unsigned PeerPins::asking(unsigned line, unsigned from) {
  const unsigned pending = asking_lines(line);
  return pending == 0 ? kPins : lines[nearest(pending, from)].pin;
}

PeerPins::Taken PeerPins::take_asking(unsigned line, unsigned from) {
  const Locked locked;
  const unsigned pending = asking_lines(line);
  if (pending == 0) return {kPins, false, {}};
  const bool more = (pending & (pending - 1)) != 0;
  const unsigned number = more ? nearest(pending, from) : first_of(pending);
  PinBlock::clear(bit(number));
  return {lines[number].pin, more, lines[number].first};
}

void PeerPins::mask(unsigned pin) {
  const Locked locked;
  unmasked &= static_cast<PinBlock::Lines>(~bit(line_of(pin)));
  PinBlock::mask(bit(line_of(pin)));
}

/// A level that has gone meanwhile is forgotten; one that persists is detected again.
void PeerPins::unmask(unsigned pin) {
  const Locked locked;
  const unsigned number = line_of(pin);
  if (is_level(lines[number].mode)) {
    PinBlock::clear(bit(number));
    lines[number].first = System::now();
  }
  unmasked |= bit(number);
  if (!groups[lines[number].group].masked) PinBlock::unmask(bit(number));
}

PeerPins::Edges PeerPins::waiting(unsigned pin) {
  const bool waits = lines_of[pin] != 0 && (PinBlock::remembered() & bit(line_of(pin))) != 0;
  return waits ? Edges{1, 0, lines[line_of(pin)].first} : Edges{};
}

}  // namespace hocket
