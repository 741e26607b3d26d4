#include "boards/uno/simulator/mcu.h"

#include <simavr/avr_adc.h>
#include <simavr/avr_ioport.h>
#include <simavr/avr_uart.h>
#include <simavr/sim_avr.h>
#include <simavr/sim_cycle_timers.h>
#include <simavr/sim_interrupts.h>
#include <simavr/sim_io.h>

#include <algorithm>
#include <cstdarg>
#include <cstring>
#include <deque>

#include "boards/uno/simulator/interrupt_flags.h"

namespace hocket::uno {
namespace {

constexpr Cycles kResponse = 4;
constexpr Cycles kResponseOutOfSleep = 4;  // besides

/// The library's remarks are of no use to a user: what matters shows in the state.
void be_silent(avr_t*, int, const char*, va_list) {}

// The processor that steps: the library's callback for sleep has no room for more.
Mcu* stepping = nullptr;

}  // namespace

/// Writing ones to a timer's flag register takes those flags back, and no others (data sheet,
/// 16.11.9). The library's own handler forgets the others too, and with them turns of the clock.
void write_timer_flags(avr_t* avr, avr_io_addr_t address, uint8_t value, void*) {
  for (unsigned i = 0; i < avr->interrupts.vector_count; ++i) {
    avr_int_vector_t* vector = avr->interrupts.vector[i];
    const avr_regbit_t& flag = vector->raised;
    if (flag.reg == address && (value >> flag.bit & 1) != 0) avr_clear_interrupt(avr, vector);
  }
}

/// What the library calls back with; it keeps pointers to these, so they must not move.
struct Mcu::Hooks {
  std::deque<std::function<void(uint8_t)>> writes;
  std::deque<std::function<void(bool)>> pins;
  std::deque<std::function<Cycles(Cycles)>> timers;
  std::function<void(uint8_t)> serial;
};

Mcu::Mcu(const Firmware& firmware, uint32_t cycles_per_second) : hooks_(new Hooks) {
  avr_global_logger_set(&be_silent);
  avr_ = avr_make_mcu_by_name("atmega328p");
  if (avr_ == nullptr) throw BadFirmware("libsimavr does not know the atmega328p");
  avr_init(avr_);
  mend_interrupt_flags(avr_);
  avr_->frequency = cycles_per_second;
  avr_->vcc = avr_->avcc = avr_->aref = 5000;
  avr_->sleep = &Mcu::slept;
  // SAFETY: avr_loadcode only reads.
  avr_loadcode(avr_, const_cast<uint8_t*>(firmware.flash().data()),
               static_cast<uint32_t>(firmware.flash().size()), 0);
  avr_->codeend = avr_->flashend;
  for (unsigned i = 0; i < avr_->interrupts.vector_count; ++i) {
    avr_irq_register_notify(avr_->interrupts.vector[i]->irq + AVR_INT_IRQ_RUNNING, &Mcu::entered,
                            this);
  }
  for (const avr_io_addr_t flags : {0x35, 0x36, 0x37}) {  // TIFR0, TIFR1, TIFR2
    avr_->io[AVR_DATA_TO_IO(flags)].w.c = &write_timer_flags;
  }
}

Mcu::~Mcu() {
  avr_terminate(avr_);
  delete hooks_;
}

Cycles Mcu::cycle() const {
  return avr_->cycle;
}
uint32_t Mcu::pc() const {
  return avr_->pc;
}
uint16_t Mcu::stack_pointer() const {
  return data16(R_SPL);
}
bool Mcu::sleeping() const {
  return avr_->state == cpu_Sleeping;
}
bool Mcu::masked() const {
  return avr_->sreg[S_I] == 0;
}
uint8_t Mcu::data(uint16_t address) const {
  return avr_->data[address];
}
void Mcu::set_data(uint16_t address, uint8_t value) {
  avr_->data[address] = value;
}

void Mcu::slept(avr_t*, Cycles cycles) {
  stepping->woken_ = true;
  stepping->asleep_ += cycles + 1;
}

/// A handler begins (1) or ends (0).
void Mcu::entered(avr_irq_t*, uint32_t value, void* self) {
  if (value == 0) return;
  Mcu& mcu = *static_cast<Mcu*>(self);
  const Cycles cost = kResponse + (mcu.woken_ ? kResponseOutOfSleep : 0);
  mcu.avr_->cycle += cost;
  mcu.avr_->run_cycle_count =
      mcu.avr_->run_cycle_count > cost ? mcu.avr_->run_cycle_count - cost : 1;
}

Mcu::State Mcu::step(Cycles end) {
  stepping = this;
  woken_ = false;
  avr_->run_cycle_limit = std::max<Cycles>(1, end > avr_->cycle ? end - avr_->cycle : 1);
  const int state = avr_run(avr_);
  if (state == cpu_Crashed) return State::Crashed;
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

void Mcu::on_pin(char port, unsigned bit, std::function<void(bool)> function) {
  hooks_->pins.push_back(std::move(function));
  avr_irq_register_notify(
      pin(port, bit),
      [](avr_irq_t*, uint32_t value, void* hook) {
        (*static_cast<std::function<void(bool)>*>(hook))((value & 1) != 0);
      },
      &hooks_->pins.back());
}

void Mcu::set_pin(char port, unsigned bit, bool high) {
  avr_raise_irq(pin(port, bit), high ? 1 : 0);
}

void Mcu::on_serial(std::function<void(uint8_t)> function) {
  hooks_->serial = std::move(function);
  uint32_t flags = 0;
  avr_ioctl(avr_, AVR_IOCTL_UART_GET_FLAGS('0'), &flags);
  flags &= ~static_cast<uint32_t>(AVR_UART_FLAG_STDIO | AVR_UART_FLAG_POLL_SLEEP);
  avr_ioctl(avr_, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
  avr_irq_register_notify(
      avr_io_getirq(avr_, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUTPUT),
      [](avr_irq_t*, uint32_t value, void* hooks) {
        static_cast<Hooks*>(hooks)->serial(static_cast<uint8_t>(value));
      },
      hooks_);
}

void Mcu::receive(uint8_t byte) {
  avr_raise_irq(avr_io_getirq(avr_, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_INPUT), byte);
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
  avr_raise_irq(avr_io_getirq(avr_, AVR_IOCTL_ADC_GETIRQ, static_cast<int>(channel)), millivolts);
}

}  // namespace hocket::uno
