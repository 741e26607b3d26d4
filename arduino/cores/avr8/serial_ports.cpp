// The serial ports of a chip with several, by number (serial_port.h). A port that is not linked
// reads nothing, takes nothing, and is not opened.
#include "arduino/api/serial_rate.h"
#include "arduino/runtime/system.h"

// (clang for AVR says of a weak function only that it is undefined.)
#define HOCKET_ON_PORTS(Result, name, parameters)                                      \
  extern "C" {                                                                         \
  Result hocket_serial_##name##_0 parameters __attribute__((weak));                    \
  Result hocket_serial_##name##_1 parameters __attribute__((weak));                    \
  Result hocket_serial_##name##_2 parameters __attribute__((weak));                    \
  Result hocket_serial_##name##_3 parameters __attribute__((weak));                    \
  }                                                                                    \
  asm(".irp port, 0,1,2,3\n.weak hocket_serial_" #name "_\\port\n.endr");              \
  namespace {                                                                          \
  constexpr Result(*name##_on[]) parameters = {                                        \
      &hocket_serial_##name##_0, &hocket_serial_##name##_1, &hocket_serial_##name##_2, \
      &hocket_serial_##name##_3};                                                      \
  }
HOCKET_ON_PORTS(void, open, (uint16_t setting))
HOCKET_ON_PORTS(void, format, (uint8_t format))
HOCKET_ON_PORTS(void, end, ())
HOCKET_ON_PORTS(size_t, available, ())
HOCKET_ON_PORTS(size_t, room, ())
HOCKET_ON_PORTS(int, read, ())
HOCKET_ON_PORTS(int, peek, ())
HOCKET_ON_PORTS(size_t, write, (const uint8_t* data, size_t size))
HOCKET_ON_PORTS(void, flush, ())
HOCKET_ON_PORTS(bool, wait, ())

namespace {

constexpr unsigned kPorts = 4;

/// Calls the port's function, directly, so that the stack that it needs can be known (tools/hocket/
/// builder/stack_depth.py). If the port is not linked, returns `otherwise`.
template <class Result, class... Parameters>
[[gnu::always_inline]] inline Result call(unsigned port,
                                          Result (*const (&on)[kPorts])(Parameters...),
                                          Result otherwise, Parameters... arguments) {
  if (port == 0 && on[0] != nullptr) return on[0](arguments...);
  if (port == 1 && on[1] != nullptr) return on[1](arguments...);
  if (port == 2 && on[2] != nullptr) return on[2](arguments...);
  if (port == 3 && on[3] != nullptr) return on[3](arguments...);
  return otherwise;
}
template <class... Parameters>
[[gnu::always_inline]] inline void tell(unsigned port, void (*const (&on)[kPorts])(Parameters...),
                                        Parameters... arguments) {
  if (port == 0 && on[0] != nullptr) return on[0](arguments...);
  if (port == 1 && on[1] != nullptr) return on[1](arguments...);
  if (port == 2 && on[2] != nullptr) return on[2](arguments...);
  if (port == 3 && on[3] != nullptr) return on[3](arguments...);
}

}  // namespace

namespace hocket::uno {

void serial_open(unsigned port, uint16_t setting) {
  tell(port, open_on, setting);
}
void serial_format(unsigned port, uint8_t format) {
  tell(port, format_on, format);
}

}  // namespace hocket::uno

namespace hocket::sys {

using namespace uno;

unsigned serial_count() {
  return kPorts;
}
bool serial_begin(unsigned port, uint32_t baud, uint32_t) {
  const uint16_t setting = serial_setting_at_run_time(baud);  // takes 7 ms at most
  if (port >= kPorts || setting == kNoSerialSetting) return false;
  serial_open(port, setting);
  return true;
}
void serial_end(unsigned port) {
  tell(port, end_on);
}
size_t serial_available(unsigned port) {
  return call(port, available_on, size_t{0});
}
size_t serial_room(unsigned port) {
  return call(port, room_on, size_t{0});
}
int serial_read(unsigned port) {
  return call(port, read_on, -1);
}
int serial_peek(unsigned port) {
  return call(port, peek_on, -1);
}
size_t serial_write(unsigned port, const uint8_t* data, size_t size) {
  return call(port, write_on, size_t{0}, data, size);
}
void serial_flush(unsigned port) {
  tell(port, flush_on);
}
bool serial_wait(unsigned port, uint64_t) {
  return call(port, wait_on, false);
}

}  // namespace hocket::sys
