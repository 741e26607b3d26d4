// How many instructions from an alarm's instant to the first one of its handler, while the ordinary
// level is idle and while a UART receives at full rate.
//
//   sweep     one line interrupt at a fixed instant, one alarm at every instant around it
//   random    alarms at random instants over threads' work, with and without the storm
//   receiving (alone, if the command line ends with this word) the same with QEMU's PL011 and bytes
//             from the host, whose instants differ from run to run
//   pin       an edge from inside, made by a thread, in an ordinary section, in an ordinary handler
//
// Output, read by test_levels.py:
//   sweep FROM TO LATE          alarms at these phases came this late
//   NAME LATE COUNT             distribution
#include "bare_image.h"
#include "drivers/pl061/pl061.h"
#include "kernel/base/text.h"
#include "levels/line.h"

namespace hocket::levels {
namespace {

template <class... Pieces>
void line(const Pieces&... pieces) {
  bare::print(Text<80>(pieces..., "\n").c_str());
}

// --- The alarm, measured ---

volatile Ticks due;
volatile Ticks fired_at;

/// A handler whose first instruction reads the clock; it goes on as `kHandler(argument, instant)`.
template <void (*kHandler)(void*, Ticks)>
[[gnu::naked]] void timed(void*) {
  asm("mrs x1, cntvct_el0\n b %c0" ::"i"(kHandler));
}

void note(void*, Ticks now) {
  fired_at = now;
  Port::alarm_off();
}

/// How late the last alarm was. It has fired.
Ticks late() {
  if (fired_at < due) hocket_halt("an alarm that did not fire");
  return fired_at - due;
}

// --- Sweep: one line interrupt against one alarm at each instant ---

constexpr Ticks kAhead = 400;     // from the round's beginning to the first phase
constexpr Ticks kLineAt = 300;    // …after the first phase
constexpr Ticks kPhases = 1'500;  // the line's handler with its way in and out, and some more

void end_of_line(void* argument) {
  SecondTimer::off();
  serve_line(argument);
}

/// What the line brought is taken: in a sweep all of it, so that rounds are alike.
void take(unsigned most) {
  for (unsigned i = 0; i < most && Serial::read() >= 0; ++i) {
  }
}
void (*take_some)(unsigned most) = &take;

Ticks round(Ticks phase, bool loaded) {
  take(2 * kBytes);
  const Ticks begin = Port::now();
  due = begin + kAhead + phase;
  Port::alarm_set(due);
  if (loaded) SecondTimer::set(SecondTimer::count() + kAhead + kLineAt);
  compute(kAhead + kPhases);
  return late();
}

void sweep(const char* name, bool loaded) {
  Ticks first = 0;
  Ticks same = round(0, loaded);
  for (Ticks phase = 1; phase <= kPhases; ++phase) {
    const Ticks now = phase < kPhases ? round(phase, loaded) : -1;
    if (now == same) continue;
    line(name, " ", first, " ", phase - 1, " ", same);
    first = phase;
    same = now;
  }
}

// --- Random: a storm against many alarms ---

constexpr unsigned kAlarms = 20'000;
constexpr unsigned kMost = 1'000;
uint32_t distribution[kMost + 1];
volatile unsigned alarms;
volatile bool endless;  // more than kAlarms, until somebody else has enough
volatile uint32_t served;
Random distances{1};
Random pauses{2};

void note_and_go_on(void*, Ticks now) {
  fired_at = now;
  const Ticks was = late();
  ++distribution[was < Ticks{kMost} ? was : kMost];
  alarms = alarms + 1;
  if (alarms == kAlarms && !endless) return Port::alarm_off();
  due = fired_at + 500 + static_cast<Ticks>(distances.below(1'000));
  Port::alarm_set(due);
}

/// Comes again soon: a new FIFO's worth of bytes as soon as the last one has been handled.
void storm(void* argument) {
  serve_line(argument);
  served = served + 1;
  SecondTimer::set(SecondTimer::count() + 20 + static_cast<Ticks>(pauses.below(200)));
}

/// What a thread does meanwhile. `system`: also sections that mask both levels.
void work(Random& random, bool system) {
  switch (random.below(system ? 4 : 3)) {
    case 0:
      return compute(random.below(100));
    case 1:
      return take_some(kBytes);
    case 2: {
      const Port::IrqState state = Port::ordinary_save();
      compute(random.below(40));
      return Port::ordinary_restore(state);
    }
    default: {
      const Port::IrqState state = Port::irq_save();
      compute(50);
      return Port::irq_restore(state);
    }
  }
}

bool enough() {
  return alarms >= kAlarms;
}

void measure(const char* name, bool loaded, bool system, bool (*done)() = &enough) {
  for (uint32_t& count : distribution) count = 0;
  distances = Random{1};
  pauses = Random{2};
  Random works{3};
  alarms = 0;
  endless = done != &enough;
  served = 0;
  due = Port::now() + 1'000;
  Port::alarm_set(due);
  if (loaded) SecondTimer::set(SecondTimer::count() + 100);
  while (!done()) work(works, system);
  Port::alarm_off();
  SecondTimer::off();
  for (unsigned i = 0; i <= kMost; ++i) {
    if (distribution[i] > 0) line(name, " ", i, " ", distribution[i]);
  }
  line(name, " served ", served);
}

// --- The emulator's UART ---

using RealUart = drivers::Pl011<machine::device(0x0900'0000)>;
using RealSerial = SerialPort<Port, RealUart, 24'000'000, kUartId>;
constexpr uint64_t kBytesWanted = 15'000;
uint64_t taken;
void (*uart_handler)(void*);

void take_from_uart(unsigned most) {
  for (unsigned i = 0; i < most && RealSerial::read() >= 0; ++i) ++taken;
}

void receive() {
  RealSerial::init();
  uart_handler = Interrupts::Lines::attached[kUartId].handler;
  Interrupts::Lines::attached[kUartId].handler = [](void*) {
    uart_handler(nullptr);
    served = served + 1;
  };
  take_some = &take_from_uart;
  if (!RealSerial::begin(115'200, &no_wait)) hocket_halt("the serial port");
  measure("receiving", false, false, [] { return enough() && taken >= kBytesWanted; });
  line("receiving bytes ", taken);
}

// --- Pin ---

using Pins = drivers::Pl061<machine::device(0x0903'0000)>;
constexpr uint32_t kPinsId = 32 + 7;
constexpr uint8_t kPin = 1;
volatile Ticks edge_at;

void note_edge(void*, Ticks now) {
  fired_at = now;
  Pins::clear(kPin);
}

/// A line that rises: in the emulator an input follows what was written to it as an output.
void rise(const char* from) {
  Pins::make_edge(kPin, 0);
  Pins::set_output(kPin);
  fired_at = 0;
  edge_at = Port::now();
  Pins::write(kPin, kPin);
  Pins::set_input(kPin);
  compute(50);
  if (fired_at == 0) hocket_halt("a pin's edge did not interrupt");
  line("pin ", from, " ", fired_at - edge_at);
}

void pins() {
  Pins::init();
  Pins::set_edges(kPin, drivers::Edges::Rising);
  Interrupts::Lines::attached[kPinsId].handler = &timed<note_edge>;
  const bool good = Controller::set_trigger(kPinsId, drivers::Trigger::Level) &&
                    Controller::enable(kPinsId, drivers::Level::RealTime, 0);
  if (!good) hocket_halt("the pins' interrupt");
  rise("thread");
  const Port::IrqState state = Port::ordinary_save();
  rise("section");
  Port::ordinary_restore(state);
  Interrupts::Lines::attached[kPhysicalTimerId].handler = [](void*) {
    SecondTimer::off();
    rise("handler");
  };
  SecondTimer::set(SecondTimer::count() + 100);
  compute(500);
}

[[noreturn]] void run() {
  Serial::init();
  if (!Serial::begin(115'200, &no_wait)) hocket_halt("the serial port");
  if (!Controller::enable(kPhysicalTimerId, drivers::Level::Ordinary, 0)) hocket_halt("timer");
  Port::irq_enable();
  Interrupts::Lines::attached[Controller::kTimerId].handler = &timed<note>;
  Interrupts::Lines::attached[kPhysicalTimerId].handler = &end_of_line;
  if (bare::asked_for("receiving")) {
    Interrupts::Lines::attached[Controller::kTimerId].handler = &timed<note_and_go_on>;
    receive();
    bare::exit(0);
  }
  sweep("idle", false);
  sweep("sweep", true);
  Interrupts::Lines::attached[Controller::kTimerId].handler = &timed<note_and_go_on>;
  Interrupts::Lines::attached[kPhysicalTimerId].handler = &storm;
  measure("quiet", false, false);
  measure("storm", true, false);
  measure("quiet-system", false, true);
  measure("storm-system", true, true);
  pins();
  line("end");
  bare::exit(0);
}

/// The vectors want a kernel; nothing here wakes a thread.
struct NoKernel {
  static bool must_switch() { return false; }
};

}  // namespace
}  // namespace hocket::levels

extern "C" {
void hocket_timer_interrupt() {}
void hocket_reschedule_interrupt() {}
void hocket_interrupt_exit() {}
void hocket_kernel_start(uint64_t number) {
  hocket::bare::prepare<hocket::levels::Port>(static_cast<hocket::CoreId>(number));
  hocket::levels::run();
}
}

HOCKET_AARCH64_DOORS(hocket::levels::Port, hocket::levels::NoKernel, false)
