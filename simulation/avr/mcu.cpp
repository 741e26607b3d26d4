#include "simulation/avr/mcu.h"

#include <simavr/avr_adc.h>
#include <simavr/avr_ioport.h>
#include <simavr/avr_timer.h>
#include <simavr/avr_uart.h>
#include <simavr/sim_avr.h>
#include <simavr/sim_cycle_timers.h>
#include <simavr/sim_interrupts.h>
#include <simavr/sim_io.h>

#include <algorithm>
#include <cstdarg>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <new>
#include <string_view>

#include "simulation/avr/data_access.h"
#include "simulation/avr/whole_skips.h"

namespace hocket::avr {
namespace {

constexpr Cycles kResponseOutOfSleep = 4;  // besides

// EEPROM control (data sheet, 8.6.3): its register and bits, in how many cycles a write must follow
// what arms it, and how long the write takes.
constexpr uint16_t kEecr = 0x3f;
constexpr uint8_t kEepe = 1 << 1;
constexpr uint8_t kEempe = 1 << 2;
constexpr Cycles kArmed = 4;
constexpr Cycles kEepromWrite = Cycles{26'368} * kCyclesPerSecond / 8'000'000;

/// The library tells of an access beyond its memory and makes it all the same, in its allocation of
/// just the memory there is. So every address that a pointer of the firmware can have gets a place.
void give_place_to_all_addresses(avr_t* avr) {
  constexpr size_t kAddresses = 0x10000;
  const size_t before = size_t{avr->ramend} + 1;
  // SAFETY: the library allocates with malloc(), frees with free(), and keeps no other pointer to
  // it.
  void* data = std::realloc(avr->data, kAddresses);
  if (data == nullptr) throw std::bad_alloc();
  avr->data = static_cast<uint8_t*>(data);
  std::memset(avr->data + before, 0, kAddresses - before);
}

/// What avr-libc's functions end in that read several bytes of EEPROM (2.0): it stores the bytes
/// where the processor's registers are as data, in those that hold a result.
constexpr const char* kStoresResults = "eeprom_read_blraw";
constexpr uint32_t kStoresResultsSize = 28;

constexpr uint16_t kReti = 0x9518;
constexpr uint16_t kSleep = 0x9588;

}  // namespace

/// What the library calls back with; it keeps pointers to these, so they must not move.
struct Mcu::Hooks {
  std::deque<std::function<void(uint8_t)>> writes;
  std::deque<std::function<void(bool)>> pins;
  std::deque<std::function<Cycles(Cycles)>> timers;
  struct Line {
    Hooks* hooks;
    unsigned port;
  };
  std::array<Line, kMostUarts> lines{};
  std::function<void(unsigned, uint8_t)> serial;
};

Mcu::Mcu(const uno::Firmware& firmware, uint32_t cycles_per_second)
    : chip_(firmware.chip()),
      hooks_(new Hooks),
      stores_results_(firmware.address(kStoresResults).value_or(UINT32_MAX)) {
  avr_global_logger_set(&Mcu::remark);
  avr_ = avr_make_mcu_by_name(chip_.name);
  if (avr_ == nullptr)
    throw uno::BadFirmware(std::string("libsimavr does not know the ") + chip_.name);
  avr_init(avr_);
  give_place_to_all_addresses(avr_);
  cycle_ = &avr_->cycle;
  pc_ = &avr_->pc;
  unmasked_ = &avr_->sreg[S_I];
  data_ = avr_->data;
  further_changes_.join(avr_, chip_);
  interrupt_flags_.join(avr_, chip_);
  dual_slope_.join(avr_, chip_);
  held_counts_.join(avr_);
  external_interrupts_.join(avr_, chip_);
  for (unsigned port = 0; port < chip_.uarts.size(); ++port) {
    receivers_[port].join(avr_, chip_.uarts[port]);
    transmitters_[port].join(avr_, chip_.uarts[port]);
  }
  avr_->frequency = cycles_per_second;
  avr_->vcc = avr_->avcc = avr_->aref = 5000;
  avr_->custom.data = this;  // for the callbacks that are told the processor alone
  avr_->sleep = &Mcu::slept;
  // SAFETY: avr_loadcode only reads.
  avr_loadcode(avr_, const_cast<uint8_t*>(firmware.flash().data()),
               static_cast<uint32_t>(firmware.flash().size()), 0);
  avr_->codeend = avr_->flashend;
  for (avr_io_t* io = avr_->io_port; io != nullptr; io = io->next) {
    if (io->kind != std::string_view("adc")) continue;
    // SAFETY: `io` is a converter's first member.
    for (avr_adc_mux_t& source : reinterpret_cast<avr_adc_t*>(io)->muxmode) {
      if (source.kind == ADC_MUX_SINGLE) source.src = source.src % 8;
    }
  }
  for (const UartModel& uart : chip_.uarts) {
    avr_->data[uart.control] = 0;  // the library starts with a transmitter that is on
  }
  for (unsigned i = 0; i < avr_->interrupts.vector_count; ++i) {
    avr_irq_register_notify(avr_->interrupts.vector[i]->irq + AVR_INT_IRQ_RUNNING, &Mcu::handler,
                            this);
  }
  avr_register_io_write(
      avr_, kEecr,
      [](avr_t*, avr_io_addr_t, uint8_t value, void* self) {
        static_cast<Mcu*>(self)->eeprom_control(value);
      },
      this);
}

Mcu::~Mcu() {
  avr_terminate(avr_);
  delete hooks_;
}

Cycles Mcu::next_timer() const {
  const avr_cycle_timer_slot_t* first = avr_->cycle_timers.timer;  // the list is in order
  return first == nullptr ? UINT64_MAX : first->when;
}
bool Mcu::sleeping() const {
  return avr_->state == cpu_Sleeping;
}
bool Mcu::asleep_for_good() const {
  return avr_->state == cpu_Done;
}
Mcu::Return Mcu::return_address() const {
  uint32_t words = 0;
  for (unsigned i = 1; i <= chip_.return_bytes; ++i) {
    words = words << 8 | data(static_cast<uint16_t>(stack_pointer() + i));
  }
  return {.to = 2 * words, .stack = static_cast<uint16_t>(stack_pointer() + chip_.return_bytes)};
}
void Mcu::set_data(uint16_t address, uint8_t value) {
  avr_->data[address] = value;
}

/// The library wakes one cycle after the timer that it slept for. Where that was our own limit,
/// time must not move on: however often it is called in between, it wakes for its own at the same
/// cycle.
void Mcu::slept(avr_t* avr, Cycles cycles) {
  Mcu& mcu = *static_cast<Mcu*>(avr->custom.data);
  constexpr uint16_t kSmcr = 0x53;
  constexpr uint8_t kModes = 0x0e;
  mcu.woken_ = mcu.slept_ = true;
  mcu.slept_deeply_ |= (avr->data[kSmcr] & kModes) != 0;
  mcu.asleep_ += cycles + 1;
  if (avr->cycle + cycles != mcu.limit_) return;
  --mcu.asleep_;
  --avr->cycle;
}

uint64_t Mcu::limit_reached(avr_t*, uint64_t, void*) {
  return 0;
}

/// The library sleeps until a timer of its own is due, whatever the limit: one of ours is due then.
/// An instruction that comes before must be done by then: the sleep begins at `from`.
void Mcu::limit_sleep(Cycles from, Cycles end) {
  avr_cycle_timer_cancel(avr_, &Mcu::limit_reached, nullptr);
  limit_ = 0;
  const Cycles next =
      next_timer();  // one that is due by then does not count: it comes first anyway
  if (next > from && end >= next) return;
  limit_ = end;
  avr_cycle_timer_register(avr_, end - avr_->cycle, &Mcu::limit_reached, nullptr);
}

/// After the library's own callback, which writes the byte and takes EEPE back at once.
void Mcu::eeprom_control(uint8_t value) {
  const Cycles now = avr_->cycle;
  if ((value & kEepe) != 0 && now <= eeprom_armed_until_ && now >= eeprom_busy_until_) {
    eeprom_busy_until_ = now + kEepromWrite;
    avr_cycle_timer_register(
        avr_, kEepromWrite,
        [](avr_t* avr, avr_cycle_count_t, void*) -> avr_cycle_count_t {
          avr->data[kEecr] &= static_cast<uint8_t>(~kEepe);
          return 0;
        },
        nullptr);
  }
  if ((value & kEempe) != 0) eeprom_armed_until_ = now + kArmed;
  if (now < eeprom_busy_until_) avr_->data[kEecr] |= kEepe;
}

/// A handler begins (1) or ends (0; not reliable where handlers switch threads).
void Mcu::handler(avr_irq_t* irq, uint32_t value, void* self) {
  if (value == 0) return;
  Mcu& mcu = *static_cast<Mcu*>(self);
  const Cycles cost = mcu.chip_.response + (mcu.woken_ ? kResponseOutOfSleep : 0);
  mcu.avr_->cycle += cost;
  mcu.avr_->run_cycle_count =
      mcu.avr_->run_cycle_count > cost ? mcu.avr_->run_cycle_count - cost : 1;
  const auto& all = mcu.avr_->interrupts;
  for (unsigned i = 0; i < all.vector_count; ++i) {
    if (&all.vector[i]->irq[AVR_INT_IRQ_RUNNING] == irq) mcu.entered_ = all.vector[i]->vector;
  }
}

/// The library's remarks are of no use to a user but for these: values are PC, SP, instruction and
/// address. It goes on after an instruction that it does not know; here that is a crash.
void Mcu::remark(avr_t* avr, int, const char* format, va_list values) {
  Mcu* const mcu = avr == nullptr ? nullptr : static_cast<Mcu*>(avr->custom.data);
  if (mcu == nullptr || mcu->wrong_) return;
  const std::string_view text(format);
  const auto told = [&](const char* what) { return text.find(what) != text.npos; };
  if (told("Invalid Opcode")) mcu->wrong_ = {Wrong::Kind::Instruction, 0};
  if (!told("Invalid write address") && !told("Invalid read address")) return;
  unsigned last = 0;
  for (int i = 0; i < 4; ++i) last = va_arg(values, unsigned);
  const auto kind = told("Invalid read address") ? Wrong::Kind::Read : Wrong::Kind::Write;
  mcu->wrong_ = {kind, static_cast<uint16_t>(last)};
}

/// Looked for before the library does what its own memory would suffer from.
bool Mcu::wrong_address(const uint8_t* code) {
  const auto access = data_access(code, avr_->data);
  if (access && access->writes) written_ = access->address;
  const bool in_register = access && access->address < kRegisters;
  if (in_register && avr_->pc - stores_results_ < kStoresResultsSize) return false;
  if (access && (in_register || access->address >= chip_.data_end)) {
    wrong_ = {access->writes ? Wrong::Kind::Write : Wrong::Kind::Read, access->address};
  } else if (stack_pointer() >= chip_.data_end) {
    wrong_ = {Wrong::Kind::Write, stack_pointer()};
  }
  return wrong_.has_value();
}

Mcu::State Mcu::step(Cycles end) {
  woken_ = slept_;  // the interrupt that ends a sleep comes in the step after it
  slept_ = false;
  entered_ = 0;
  written_ = 0;
  const uint8_t* next = avr_->flash + (avr_->pc & avr_->flashend);
  const bool awake = avr_->state == cpu_Running;
  const auto instruction = static_cast<uint16_t>(next[0] | next[1] << 8);
  instruction_ = awake ? instruction : 0;
  operand_ = static_cast<uint16_t>(next[2] | next[3] << 8);
  returned_ = instruction_ == kReti;
  if (awake && wrong_address(next)) return State::Crashed;
  avr_->run_cycle_limit = std::max<Cycles>(1, end > avr_->cycle ? end - avr_->cycle : 1);
  if (!awake || instruction == kSleep) {
    const Cycles from = avr_->cycle + (awake ? 1 : 0);
    limit_sleep(from, from + avr_->run_cycle_limit);
  }
  // What is left of a longer step before: the library would execute as many instructions at once.
  avr_->run_cycle_count = std::min<Cycles>(avr_->run_cycle_count, avr_->run_cycle_limit);
  const int state = [&] {
    const WholeSkips whole_skips(avr_);
    return avr_run(avr_);
  }();
  // A processor executes one instruction behind SEI, RETI or a write of SREG before a pending
  // interrupt (Atmel 0856, SEI; data sheet, 7.7). The library would execute two.
  if (avr_->interrupt_state == -1) {
    avr_->interrupt_state = static_cast<int8_t>(avr_has_pending_interrupts(avr_));
  }
  external_interrupts_.update();
  if (state == cpu_Crashed || wrong_) return State::Crashed;
  return state == cpu_Done ? State::Stopped : State::Running;
}

Mcu::State Mcu::run(Cycles end) {
  stopped_ = false;
  State state = State::Running;
  while (!stopped_ && state == State::Running && avr_->cycle < end) state = step(end);
  return state;
}

void Mcu::on_write(uint16_t address, std::function<void(uint8_t)> function) {
  hooks_->writes.push_back(std::move(function));
  avr_register_io_write(
      avr_, address,
      [](avr_t* avr, avr_io_addr_t at, uint8_t value, void* hook) {
        avr->data[at] = value;
        (*static_cast<std::function<void(uint8_t)>*>(hook))(value);
      },
      &hooks_->writes.back());
}

avr_irq_t* Mcu::pin(char port, unsigned bit) {
  return avr_io_getirq(avr_, AVR_IOCTL_IOPORT_GETIRQ(port), static_cast<int>(bit));
}

void Mcu::on_compare(char timer, unsigned comparator, std::function<void(bool)> function) {
  hooks_->pins.push_back(std::move(function));
  avr_irq_register_notify(
      avr_io_getirq(avr_, AVR_IOCTL_TIMER_GETIRQ(timer), TIMER_IRQ_OUT_COMP + comparator),
      [](avr_irq_t*, uint32_t value, void* hook) {
        (*static_cast<std::function<void(bool)>*>(hook))((value & 1) != 0);
      },
      &hooks_->pins.back());
}

void Mcu::set_pin(char port, unsigned bit, bool high) {
  // Without this the library makes inputs with a pull-up high at each write to their port.
  Outside& outside = outside_[chip_.port_index(port)];
  const auto mask = static_cast<uint8_t>(1u << bit);
  outside.set |= mask;
  outside.level = static_cast<uint8_t>(high ? outside.level | mask : outside.level & ~mask);
  avr_ioport_external_t levels{};
  levels.name = static_cast<unsigned long>(port) & 0x7f;
  levels.mask = outside.set;
  levels.value = outside.level;
  avr_ioctl(avr_, AVR_IOCTL_IOPORT_SET_EXTERNAL(port), &levels);
  if ((data(chip_.port(port).direction()) & mask) == 0) avr_raise_irq(pin(port, bit), high ? 1 : 0);
}

void Mcu::on_serial(std::function<void(unsigned, uint8_t)> function) {
  hooks_->serial = std::move(function);
  for (unsigned port = 0; port < chip_.uarts.size(); ++port) {
    const auto name = static_cast<char>('0' + port);
    uint32_t flags = 0;
    avr_ioctl(avr_, AVR_IOCTL_UART_GET_FLAGS(name), &flags);
    flags &= ~static_cast<uint32_t>(AVR_UART_FLAG_STDIO | AVR_UART_FLAG_POLL_SLEEP);
    avr_ioctl(avr_, AVR_IOCTL_UART_SET_FLAGS(name), &flags);
    hooks_->lines[port] = {hooks_, port};
    avr_irq_register_notify(
        avr_io_getirq(avr_, AVR_IOCTL_UART_GETIRQ(name), UART_IRQ_OUTPUT),
        [](avr_irq_t*, uint32_t value, void* at) {
          const auto& line = *static_cast<Hooks::Line*>(at);
          line.hooks->serial(line.port, static_cast<uint8_t>(value));
        },
        &hooks_->lines[port]);
  }
}

void Mcu::at(Cycles when, std::function<Cycles(Cycles)> function) {
  hooks_->timers.push_back(std::move(function));
  avr_cycle_timer_register(
      avr_, when > avr_->cycle ? when - avr_->cycle : 1,
      [](avr_t*, avr_cycle_count_t now, void* hook) -> avr_cycle_count_t {
        return (*static_cast<std::function<Cycles(Cycles)>*>(hook))(now);
      },
      &hooks_->timers.back());
}

void Mcu::set_analog(unsigned channel, uint32_t millivolts) {
  // Not by the input's signal: the library keeps the voltages of eight inputs. Of more, that of the
  // one whose conversion begins is in its place (the constructor leads them there).
  avr_io_t* io = avr_->io_port;
  while (io != nullptr && io->kind != std::string_view("adc")) io = io->next;
  // SAFETY: `io` is a converter's first member.
  if (io != nullptr) {
    reinterpret_cast<avr_adc_t*>(io)->adc_values[channel % 8] = static_cast<uint16_t>(millivolts);
  }
}

}  // namespace hocket::avr
