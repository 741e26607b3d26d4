// Runs a script of accesses against the devices, for tests outside of C++.
//
//   device_script SCENARIO WAVES SEED < SCRIPT       prints what the reads give, then the facts
//
// A line of the script is an instant in nanoseconds and one of:
//   mode PIN MODE (0 … 4)   write PIN 0/1         read PIN     analog PIN BITS   pwm PIN VALUE MAXIMUM
//   tone PIN HERTZ MS       notone PIN            servo PIN US
//   begin PORT BAUD         send PORT TEXT        receive PORT
//   finish

#include <cstdio>
#include <fstream>
#include <iostream>
#include <sstream>

#include "simulation/devices/devices.h"

namespace {

using hocket::sim::DeviceError;
using hocket::sim::Devices;
using hocket::sim::Nanos;

class Printer : public hocket::sim::DeviceSink {
 public:
  void serial_out(Nanos when, unsigned port, uint8_t byte) override {
    std::printf("%llu out %u %02x\n", static_cast<unsigned long long>(when), port, byte);
  }
};

/// One line of the script; false when it is none that this program knows.
bool act(Devices& devices, std::istringstream& line) {
  Nanos now = 0;
  std::string what, text;
  unsigned pin = 0, a = 0, b = 0;
  line >> now >> what;
  if (what == "finish") {
    std::puts(devices.finish(now).c_str());
    std::puts(devices.serial_facts().c_str());
    for (const std::string& notice : devices.notices()) std::puts(notice.c_str());
    return true;
  }
  line >> pin;
  if (what == "send") {
    line >> text;
    devices.serial_write(now, pin, reinterpret_cast<const uint8_t*>(text.data()), text.size());
    return true;
  }
  if (what == "receive") {
    for (int byte; (byte = devices.serial_read(now, pin)) >= 0;) text += static_cast<char>(byte);
    std::printf("received %s\n", text.c_str());
    return true;
  }
  if (what == "read") return std::printf("%d\n", devices.pin_read(now, pin)) > 0;
  if (what == "notone") return devices.tone_stop(now, pin);
  line >> a;
  if (what == "mode") return devices.pin_mode(now, pin, static_cast<hocket::sys::PinMode>(a));
  if (what == "write") return devices.pin_write(now, pin, a != 0);
  if (what == "analog") return std::printf("%d\n", devices.analog_read(now, pin, a)) > 0;
  if (what == "servo") return devices.servo_write(now, pin, a);
  if (what == "begin") return devices.serial_begin(now, pin, a);
  line >> b;
  if (what == "pwm") return devices.pwm_write(now, pin, a, b);
  return what == "tone" && devices.tone_start(now, pin, a, b);
}

}  // namespace

int main(int count, char** words) {
  if (count != 4) {
    std::fputs("usage: device_script SCENARIO WAVES SEED < SCRIPT\n", stderr);
    return 2;
  }
  std::ifstream file(words[1]);
  std::stringstream scenario;
  scenario << file.rdbuf();
  if (!file) {
    std::fprintf(stderr, "device_script: %s cannot be read\n", words[1]);
    return 2;
  }
  Printer printer;
  try {
    const auto devices =
        Devices::create({std::stoull(words[3]), scenario.str(), words[2]}, printer);
    for (std::string line; std::getline(std::cin, line);) {
      std::istringstream stream(line);
      if (!act(*devices, stream)) {
        std::fprintf(stderr, "device_script: refused: %s\n", line.c_str());
        return 1;
      }
    }
  } catch (const DeviceError& error) {
    std::fprintf(stderr, "device_script: %s\n", error.what());
    return 2;
  }
  return 0;
}
