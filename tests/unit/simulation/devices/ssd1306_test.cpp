// The display with an SSD1306: where the bytes of a picture go, whatever window a sketch has set.
#include "rig.h"

namespace hocket::sim::test {
namespace {

using Bytes = std::vector<uint8_t>;

constexpr const char* kPointDisplay = "part ssd1306 display\n";
constexpr unsigned kWidth = 128, kHeight = 64;

class PointDisplay {
 public:
  /// On, and as it is mounted: rows and columns as they are in memory.
  PointDisplay() { command({0xaf, 0xa1, 0xc8}); }

  void command(const Bytes& bytes) { send(0x00, bytes); }
  void data(const Bytes& bytes) { send(0x40, bytes); }

  /// The memory of each page in which a point is lit: its number, and how many are.
  std::map<unsigned, unsigned> lit_of_pages() {
    const std::string facts = rig_->finish(s(1));
    const std::string head = "\"rows\": [\"";
    size_t at = facts.find(head) + head.size();
    std::map<unsigned, unsigned> lit;
    for (unsigned y = 0; y < kHeight; ++y) {
      for (unsigned digit = 0; digit < kWidth / 4; ++digit) {
        const int value = std::stoi(facts.substr(at + digit, 1), nullptr, 16);
        for (int bit = 0; bit < 4; ++bit) lit[y / 8] += value >> bit & 1;
      }
      at += kWidth / 4 + std::string("\", \"").size();
    }
    std::erase_if(lit, [](const auto& page) { return page.second == 0; });
    return lit;
  }

 private:
  void send(uint8_t control, const Bytes& bytes) {
    Bytes out{control};
    out.insert(out.end(), bytes.begin(), bytes.end());
    sys::I2cTransfer asked{};
    asked.out_size = static_cast<uint16_t>(out.size());
    asked.hertz = 400'000;
    asked.address = 0x3c;
    asked.writes = true;
    ASSERT_EQ(rig_->i2c_transfer(now_, 0, asked, out.data(), nullptr).end, sys::I2cEnd::Done);
    now_ += ms(50);
  }

  Rig rig_{kPointDisplay};
  Nanos now_ = 0;
};

using Pages = std::map<unsigned, unsigned>;
constexpr unsigned kAll = kWidth * 8;  // points of a page

TEST(Ssd1306, GoesRoundInItsWindow) {
  PointDisplay display;
  display.command({0x20, 0x00, 0x21, 0, 127, 0x22, 2, 3});
  display.data(Bytes(kWidth * 3, 0xff));
  EXPECT_EQ(display.lit_of_pages(), (Pages{{2, kAll}, {3, kAll}}));
}

TEST(Ssd1306, GoesAllTheWayRoundWhereTheFirstPageIsBehindTheLast) {
  PointDisplay display;
  display.command({0x20, 0x00, 0x21, 0, 127, 0x22, 5, 3});
  display.data(Bytes(kWidth * 4, 0xff));
  EXPECT_EQ(display.lit_of_pages(), (Pages{{0, kAll}, {5, kAll}, {6, kAll}, {7, kAll}}));
}

TEST(Ssd1306, GoesRoundFromAPageBehindItsWindow) {
  PointDisplay display;
  display.command({0x20, 0x00, 0x21, 0, 127, 0x22, 0, 3, 0xb7});
  display.data(Bytes(kWidth * 2, 0xff));
  EXPECT_EQ(display.lit_of_pages(), (Pages{{0, kAll}, {7, kAll}}));
}

TEST(Ssd1306, GoesRoundInVerticalOrderToo) {
  PointDisplay display;
  display.command({0x20, 0x01, 0x21, 126, 1, 0x22, 6, 1});
  display.data(Bytes(4 * 4, 0xff));  // pages 6, 7, 0, 1 of columns 126, 127, 0, 1
  EXPECT_EQ(display.lit_of_pages(), (Pages{{0, 32}, {1, 32}, {6, 32}, {7, 32}}));
}

/// Whatever comes, in whatever order: nothing outside of the memory is touched (the sanitizer sees
/// it), and the picture has its size.
TEST(Ssd1306, TakesAnything) {
  uint32_t random = 1;
  const auto next = [&random] {
    random = random * 1'664'525 + 1'013'904'223;
    return static_cast<uint8_t>(random >> 24);
  };
  PointDisplay display;
  for (int turn = 0; turn < 300; ++turn) {
    Bytes bytes(turn % 2 == 0 ? 12 : 600);
    for (uint8_t& byte : bytes) byte = next();
    if (turn % 2 == 0)
      display.command(bytes);
    else
      display.data(bytes);
  }
  EXPECT_LE(display.lit_of_pages().size(), kHeight / 8);
}

}  // namespace
}  // namespace hocket::sim::test
