// UDP: what network libraries implement for datagrams.
#pragma once

#include "IPAddress.h"
#include "Stream.h"

class UDP : public Stream {
 public:
  virtual uint8_t begin(uint16_t port) = 0;
  /// Returns 0: this implementation has no multicast.
  virtual uint8_t beginMulticast(IPAddress, uint16_t) { return 0; }
  virtual void stop() = 0;

  virtual int beginPacket(IPAddress ip, uint16_t port) = 0;
  virtual int beginPacket(const char* host, uint16_t port) = 0;
  virtual int endPacket() = 0;
  size_t write(uint8_t byte) override = 0;
  size_t write(const uint8_t* data, size_t size) override = 0;
  using Print::write;

  /// The size of the next received packet; 0: none.
  virtual int parsePacket() = 0;
  int available() override = 0;
  int read() override = 0;
  virtual int read(unsigned char* data, size_t size) = 0;
  virtual int read(char* data, size_t size) = 0;
  int peek() override = 0;
  void flush() override = 0;
  virtual IPAddress remoteIP() = 0;
  virtual uint16_t remotePort() = 0;

 protected:
  uint8_t* rawIPAddress(IPAddress& address) { return address.raw_address(); }
};

namespace arduino {
using ::UDP;
}  // namespace arduino
