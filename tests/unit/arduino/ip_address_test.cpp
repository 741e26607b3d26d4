// IPAddress: reading, writing and comparing addresses.
#include <Arduino.h>
#include <api/IPAddress.h>
#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "text_streams.h"

#undef INADDR_NONE  // the host's macro; the test means the language's constant

namespace {

std::string text_of(const IPAddress& address) {
  Collector out;
  out.print(address);
  return out.text;
}

TEST(IpAddress, Version4) {
  IPAddress address(192, 168, 0, 10);
  EXPECT_EQ(text_of(address), "192.168.0.10");
  EXPECT_EQ(address[3], 10);
  address[3] = 11;
  const uint8_t bytes[] = {192, 168, 0, 11};
  EXPECT_TRUE(address == bytes);
  EXPECT_EQ(IPAddress(static_cast<uint32_t>(address)), address);
  EXPECT_EQ(address.type(), IPv4);
  EXPECT_EQ(text_of(IPAddress()), "0.0.0.0");
  EXPECT_EQ(IPAddress(), INADDR_NONE);
  address = bytes;
  EXPECT_EQ(address, IPAddress("192.168.0.11"));
  EXPECT_STREQ(address.toString().c_str(), "192.168.0.11");
}

TEST(IpAddress, OfALong) {
  IPAddress address(0ul);
  EXPECT_EQ(text_of(address), "0.0.0.0");
  const unsigned long number = static_cast<uint32_t>(IPAddress(1, 2, 3, 4));
  address = number;
  EXPECT_EQ(text_of(address), "1.2.3.4");
  EXPECT_TRUE(address == number);
  EXPECT_FALSE(address == 0ul);
  EXPECT_EQ(text_of(IPAddress(number)), "1.2.3.4");
  // As sketches shift the bytes together, which makes an int or a long.
  IPAddress shifted(129 | (168 << 8) | (1 << 16) | (2 << 24));
  EXPECT_TRUE(shifted == IPAddress(129, 168, 1, 2));
  shifted = 1 | 2 << 8;
  EXPECT_TRUE(shifted == (1 | 2 << 8));
  shifted = 3L;
  EXPECT_TRUE(shifted == 3L && shifted == IPAddress(3L));
}

TEST(IpAddress, RefusesWhatIsNone) {
  IPAddress address(1, 2, 3, 4);
  for (const char* text : {"", "1", "1.2.3", "1.2.3.", "1.2.3.4.5", "256.1.1.1", "1..2.3",
                           "a.b.c.d", "1.2.3.4 ", ":", ":::", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9",
                           "::1::", "12345::", "1:2:3:4:5:6:7:8::", "1:", "g::"}) {
    EXPECT_FALSE(address.fromString(text)) << text;
  }
  EXPECT_FALSE(address.fromString(static_cast<const char*>(nullptr)));
  EXPECT_EQ(text_of(address), "1.2.3.4") << "unchanged";
}

TEST(IpAddress, Version6) {
  for (const char* text : {"::", "::1", "1::", "2001:db8::1", "fe80::1:2:3:4", "1:2:3:4:5:6:7:8",
                           "1:0:2::3", "1::2:0:0:3:4", "0:1:2:3:4:5:6:7"}) {
    IPAddress address;
    ASSERT_TRUE(address.fromString(text)) << text;
    EXPECT_EQ(address.type(), IPv6);
    EXPECT_EQ(text_of(address), text);
    EXPECT_EQ(static_cast<uint32_t>(address), 0u);
  }
  EXPECT_EQ(text_of(IPAddress("2001:DB8:0:0:0:0:0:1")), "2001:db8::1");
  EXPECT_STREQ(IPAddress("2001:db8::a:1").toString().c_str(),
               "2001:0db8:0000:0000:0000:0000:000a:0001");
  EXPECT_EQ(IN6ADDR_ANY, IPAddress("::"));
  EXPECT_NE(IPAddress("::"), IPAddress());
}

RC_GTEST_PROP(IpAddress, AgreesWithTheHost, ()) {
  // Few different bytes, so that runs of zeros of every length and place occur.
  const auto bytes =
      *rc::gen::container<std::vector<uint8_t>>(16, rc::gen::element<uint8_t>(0, 0, 0, 1, 0xab));
  const IPAddress address(IPv6, bytes.data());
  char expected[INET6_ADDRSTRLEN];
  inet_ntop(AF_INET6, bytes.data(), expected, sizeof expected);
  RC_PRE(std::string(expected).find('.') ==
         std::string::npos);  // the host writes some with IPv4 parts
  RC_ASSERT(text_of(address) == expected);
  RC_ASSERT(IPAddress(expected) == address);
}

}  // namespace
