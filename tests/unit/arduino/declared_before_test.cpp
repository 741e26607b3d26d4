// What libraries declare before they include Arduino.h: the language's classes, in the global scope
// as on every Arduino; and the same classes by their names in ArduinoCore-API.
class Client;
class HardwareSerial;
class IPAddress;
class Print;
class Printable;
class Server;
class Stream;
class String;
class StringSumHelper;
class UDP;
class __FlashStringHelper;  // NOLINT(bugprone-reserved-identifier): Arduino's name

namespace {
// Declared with nothing but the names known.
unsigned tell(Print& to, const String& text, const Printable& object,
              const __FlashStringHelper* kept);
int next(Stream& from);
}  // namespace

// A sketch's own class: stock Arduino has none of this name.
class RingBuffer {
 public:
  int size() const { return 3; }
};

#include <Arduino.h>
#include <api/ArduinoAPI.h>
#include <api/HardwareCAN.h>
#include <api/HardwareI2C.h>
#include <api/HardwareSPI.h>
#include <gtest/gtest.h>

// Declared again, as the headers of libraries do after it.
class Client;
class HardwareSerial;
class IPAddress;
class Print;
class Printable;
class Server;
class Stream;
class String;
class UDP;

#include "text_streams.h"

namespace {

template <typename A, typename B>
constexpr bool kSame = false;
template <typename A>
constexpr bool kSame<A, A> = true;

static_assert(kSame<arduino::Client, ::Client> &&
              kSame<arduino::HardwareSerial, ::HardwareSerial> &&
              kSame<arduino::IPAddress, ::IPAddress> && kSame<arduino::Print, ::Print> &&
              kSame<arduino::Printable, ::Printable> && kSame<arduino::Server, ::Server> &&
              kSame<arduino::Stream, ::Stream> && kSame<arduino::String, ::String> &&
              kSame<arduino::StringSumHelper, ::StringSumHelper> && kSame<arduino::UDP, ::UDP> &&
              kSame<arduino::CanMsg, ::CanMsg> && kSame<arduino::HardwareCAN, ::HardwareCAN> &&
              kSame<arduino::HardwareI2C, ::HardwareI2C> &&
              kSame<arduino::HardwareSPI, ::HardwareSPI> &&
              kSame<arduino::SPISettings, ::SPISettings> &&
              kSame<arduino::RingBufferN<8>, ::RingBufferN<8>> &&
              kSame<arduino::__FlashStringHelper, ::__FlashStringHelper>);
static_assert(arduino::isDigit('7') && ::isDigit('7') && arduino::IPv4 == ::IPv4 &&
              arduino::SKIP_ALL == ::SKIP_ALL && arduino::SPI_MODE3 == ::SPI_MODE3);

unsigned tell(Print& to, const String& text, const Printable& object,
              const __FlashStringHelper* kept) {
  return static_cast<unsigned>(to.print(text) + to.print(object) + to.print(kept));
}
int next(Stream& from) {
  return from.read();
}

TEST(DeclaredBefore, AreTheLanguagesClasses) {
  Collector out;
  EXPECT_EQ(tell(out, String("a"), IPAddress(1, 2, 3, 4), F("c")), 9u);
  EXPECT_EQ(out.text, "a1.2.3.4c");
  TextStream in("x");
  EXPECT_EQ(next(in), 'x');
  EXPECT_EQ(RingBuffer().size(), 3);
}

}  // namespace
