// A stand-in for the system under the Arduino functions. See fake_system.h.
#include "fake_system.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "arduino/runtime/system.h"
#include "kernel/task/word_queues.h"

namespace {

FakeSystem system_now;

// As arduino/runtime/semaphore.cpp has them, without a kernel below.
using Queues = hocket::WordQueues<256, bool>;
Queues queues;

template <typename... Parts>
void record(const char* name, Parts... parts) {
  std::string line = name;
  ((line += ' ', line += std::to_string(parts)), ...);
  system_now.calls.push_back(line);
}

bool exists(unsigned pin) {
  return pin < FakeSystem::kPins;
}
FakePort& port_of(unsigned port) {
  return system_now.ports[port];
}
bool arrived(const FakePort& port) {
  return !port.incoming.empty() && port.incoming.front().first <= system_now.now;
}

}  // namespace

FakeSystem& fake() {
  return system_now;
}
void reset_fake() {
  system_now = FakeSystem();
  queues = Queues();
}

int FakeSystem::level(unsigned pin) const {
  const auto found = edges.find(pin);
  if (found == edges.end()) return 0;
  return static_cast<int>(std::count_if(found->second.begin(), found->second.end(),
                                        [this](uint64_t edge) { return edge <= now; }) %
                          2);
}

std::vector<std::string> FakeSystem::taken() {
  std::vector<std::string> result;
  result.swap(calls);
  return result;
}

namespace hocket::sys {

uint64_t now_ns() {
  return system_now.now;
}
void sleep_until_ns(uint64_t instant_ns) {
  record("sleep_until", instant_ns);
  system_now.now = std::max(system_now.now, instant_ns);
}
void spin_ns(uint64_t duration_ns) {
  record("spin", duration_ns);
  system_now.now += duration_ns;
}
void yield() {
  record("yield");
}

unsigned pin_count() {
  return FakeSystem::kPins;
}
unsigned analog_base() {
  return FakeSystem::kAnalogBase;
}
unsigned analog_count() {
  return FakeSystem::kAnalogCount;
}
bool pin_mode(unsigned pin, PinMode mode) {
  record("pin_mode", pin, static_cast<int>(mode));
  return exists(pin);
}
bool pin_write(unsigned pin, bool high) {
  record("pin_write", pin, static_cast<int>(high));
  return exists(pin);
}
int pin_read(unsigned pin) {
  record("pin_read", pin);
  system_now.now += system_now.pin_read_ns;
  return system_now.level(pin);
}
int analog_read(unsigned pin, unsigned bits) {
  record("analog_read", pin, bits);
  return exists(pin) ? static_cast<int>(system_now.analog[pin] >> (16 - bits)) : 0;
}
bool pwm_write(unsigned pin, uint32_t value, uint32_t maximum) {
  record("pwm_write", pin, value, maximum);
  return pin >= 2 && pin <= 13;
}
bool tone_start(unsigned pin, uint32_t hertz, uint32_t duration_ms) {
  record("tone_start", pin, hertz, duration_ms);
  return exists(pin);
}
bool tone_stop(unsigned pin) {
  record("tone_stop", pin);
  return exists(pin);
}
bool servo_write(unsigned pin, uint32_t pulse_us) {
  record("servo_write", pin, pulse_us);
  return exists(pin);
}

unsigned serial_count() {
  return 4;
}
bool serial_begin(unsigned port, uint32_t baud, uint32_t) {
  record("serial_begin", port, baud);
  if (baud < 300 || baud > 2000000) return false;
  port_of(port).begun = true;
  port_of(port).baud = baud;
  return true;
}
void serial_end(unsigned port) {
  record("serial_end", port);
  port_of(port).begun = false;
}
size_t serial_available(unsigned port) {
  const auto& incoming = port_of(port).incoming;
  return static_cast<size_t>(std::count_if(incoming.begin(), incoming.end(), [](const auto& byte) {
    return byte.first <= system_now.now;
  }));
}
size_t serial_room(unsigned port) {
  return port_of(port).room;
}
int serial_read(unsigned port) {
  if (!arrived(port_of(port))) return -1;
  const int byte = port_of(port).incoming.front().second;
  port_of(port).incoming.pop_front();
  return byte;
}
int serial_peek(unsigned port) {
  return arrived(port_of(port)) ? port_of(port).incoming.front().second : -1;
}
size_t serial_write(unsigned port, const uint8_t* data, size_t size) {
  if (!port_of(port).begun) return 0;
  port_of(port).writes.emplace_back(reinterpret_cast<const char*>(data), size);
  return size;
}
void serial_flush(unsigned port) {
  record("serial_flush", port);
}
bool serial_wait(unsigned port, uint64_t instant_ns) {
  const auto& incoming = port_of(port).incoming;
  const uint64_t next = incoming.empty() ? UINT64_MAX : incoming.front().first;
  system_now.now = std::max(system_now.now, std::min(next, instant_ns));
  return next <= instant_ns;
}

int serial_line(unsigned rx, unsigned tx, bool inverted) {
  record("serial_line", rx, tx, static_cast<int>(inverted));
  return exists(rx) || exists(tx) ? 3 : -1;
}
void serial_listen(unsigned port, bool on) {
  record("serial_listen", port, static_cast<int>(on));
}
bool serial_overflowed(unsigned port) {
  record("serial_overflowed", port);
  return true;
}

unsigned loop_id() {
  return system_now.loop;
}
bool park_until_ns(uint64_t instant_ns) {
  record("park_until", instant_ns);
  const unsigned loop = system_now.loop;
  if (system_now.parked && !system_now.permits.contains(loop)) {
    const auto others = std::exchange(system_now.parked, nullptr);
    others();
    system_now.loop = loop;
  }
  if (system_now.permits.erase(loop) > 0) return true;
  if (instant_ns == UINT64_MAX) throw std::logic_error("parked for good");
  system_now.now = std::max(system_now.now, instant_ns);
  return false;
}
bool unpark(unsigned loop) {
  record("unpark", loop);
  system_now.permits.insert(loop);
  return true;
}
bool semaphore_take(int* count, uint64_t until_ns) {
  const unsigned loop = system_now.loop;
  const bool now = until_ns <= system_now.now;
  const auto answer = now ? queues.take(*count) : queues.take_or_wait(*count, loop, true);
  if (answer != Queues::Answer::None) return answer == Queues::Answer::Taken;
  if (now) return false;
  bool in_time = true;
  while (queues.waits(loop) && in_time) in_time = park_until_ns(until_ns);
  if (!queues.waits(loop)) return true;
  queues.leave(loop);
  return false;
}
void semaphore_give(int* count) {
  const Queues::Given given = queues.give(*count);
  if (given.number != Queues::kNobody) unpark(given.number);
}
unsigned core_id() {
  return 0;
}
void spin_lock(uint32_t* lock) {
  if (*lock != 0) throw std::logic_error("locked twice");
  *lock = 1;
  ++system_now.locks_held;
}
void spin_unlock(uint32_t* lock) {
  if (*lock != 1) throw std::logic_error("unlocked without holding");
  *lock = 0;
  --system_now.locks_held;
}
void hold_pin_handlers(bool held) {
  record("hold_pin_handlers", static_cast<int>(held));
}
void fault(const char* text, const void*) {
  throw std::runtime_error(text);
}
uint32_t entropy() {
  record("entropy");
  return system_now.entropy;
}

}  // namespace hocket::sys
