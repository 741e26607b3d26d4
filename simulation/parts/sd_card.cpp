// An SD card on the SPI bus: a card of high capacity (blocks are numbered), however small its
// image.
//
//   host   41 00 00 00 00 95 │ ff ff …                     51 block… crc │ ff … ff
//   card   ff ff ff ff ff ff │ ff R1 more…                              │ ff R1 ff fe 512 bytes crc
//
// A command is six bytes; its answer R1 follows after one more. Blocks begin with a token and end
// with a CRC; a written one is answered by 05, and then zeros come until it is stored. The sums of
// commands are checked for CMD0 and CMD8, as a card does that has not been told otherwise.
//
// Source: SD Physical Layer Simplified Specification 6.00, chapters 5.3.3 (CSD), 7.2 and 7.3.

#include <algorithm>
#include <array>
#include <fstream>
#include <utility>

#include "simulation/parts/spi_device.h"

namespace hocket::sim {
namespace {

constexpr size_t kBlock = 512;
constexpr size_t kUnit = 512 * 1024;  // of a size, in the CSD of such cards
constexpr size_t kLargest = 256 * kUnit;
constexpr Nanos kStores = 500'000;
constexpr Nanos kBegins = 5'000'000;  // from the first ACMD41 to ready

constexpr uint8_t kIdle = 0x01, kIllegal = 0x04, kBadSum = 0x08, kBadParameter = 0x40;
constexpr uint8_t kToken = 0xfe, kTokenOfMany = 0xfc, kEndOfMany = 0xfd;
constexpr uint8_t kAccepted = 0x05;

/// x^7 + x^3 + 1, with the end bit.
uint8_t crc7(const uint8_t* bytes, size_t size) {
  unsigned crc = 0;
  for (size_t i = 0; i < size; ++i)
    for (int bit = 7; bit >= 0; --bit) {
      const bool carry = ((crc >> 6 ^ bytes[i] >> bit) & 1) != 0;
      crc = (crc << 1 & 0x7f) ^ (carry ? 0x09 : 0);
    }
  return static_cast<uint8_t>(crc << 1 | 1);
}

/// x^16 + x^12 + x^5 + 1, the highest bit first, from 0.
uint16_t crc16(const uint8_t* bytes, size_t size) {
  unsigned crc = 0;
  for (size_t i = 0; i < size; ++i) {
    crc ^= static_cast<unsigned>(bytes[i]) << 8;
    for (int bit = 0; bit < 8; ++bit) crc = crc << 1 ^ ((crc & 0x8000) != 0 ? 0x1021 : 0);
  }
  return static_cast<uint16_t>(crc);
}

class SdCard final : public SpiDevice {
 public:
  SdCard(Workbench& bench, Section& section)
      : SpiDevice(bench, section), saves_(section.text_or("saves", "")) {
    const std::string file = section.text_or("image", "");
    if (file.empty()) section.fail("needs image");
    std::ifstream in(file, std::ios::binary | std::ios::ate);
    const std::streamoff size = in.tellg();
    if (!in) throw DeviceError("the card's image " + file + " cannot be read");
    bytes_.resize(checked(file, static_cast<uint64_t>(size)));
    in.seekg(0);
    in.read(reinterpret_cast<char*>(bytes_.data()), size);
    if (!in) throw DeviceError("the card's image " + file + " cannot be read");
  }

  void facts(Facts& facts, Nanos end) const override {
    SpiDevice::facts(facts, end);
    facts.count("commands", commands_);
    facts.count("blocks_read", blocks_read_);
    facts.count("blocks_written", blocks_written_);
    facts.count("refused", refused_);
    facts.flag("initialised", state_ == State::Ready);
  }

  void ended(Nanos) override {
    if (saves_.empty()) return;
    std::ofstream out(saves_, std::ios::binary | std::ios::trunc);
    out.write(reinterpret_cast<const char*>(bytes_.data()),
              static_cast<std::streamsize>(bytes_.size()));
    out.close();
    if (!out) throw DeviceError("the file " + saves_ + " cannot be written");
  }

 private:
  enum class State : uint8_t { Off, Idle, Ready };
  enum class Data : uint8_t { None, Reading, Awaited, Coming };  // blocks of a command under way

  static size_t checked(const std::string& file, uint64_t size) {
    if (size > 0 && size % kUnit == 0 && size <= kLargest) return size;
    throw DeviceError("the card's image " + file + " has " + std::to_string(size) +
                      " bytes; an image has a whole number of 512 KiB, up to 128 MiB");
  }

  void deselected(Nanos) override {
    heard_ = 0;
    answer_.clear();
    given_ = 0;
    data_ = Data::None;
  }

  uint8_t byte(Nanos now, uint8_t in) override {
    if (data_ == Data::Awaited || data_ == Data::Coming) {
      take(now, in);
    } else if (heard_ > 0 || (in & 0xc0) == 0x40) {
      frame_[heard_++] = in;
      if (heard_ == frame_.size()) {
        heard_ = 0;
        answer_.clear();
        given_ = 0;
        command(now);
        return 0xff;
      }
    }
    if (given_ < answer_.size()) return answer_[given_++];
    if (now < busy_until_) return 0;
    if (data_ == Data::Reading && heard_ == 0) {
      answer_.clear();
      given_ = 0;
      send_block(place_++);
      return answer_[given_++];
    }
    return 0xff;
  }

  void command(Nanos now) {
    ++commands_;
    const auto code = static_cast<uint8_t>(frame_[0] & 0x3f);
    const uint32_t argument =
        static_cast<uint32_t>(frame_[1]) << 24 | frame_[2] << 16 | frame_[3] << 8 | frame_[4];
    const bool application = std::exchange(application_, false);
    if (data_ == Data::Reading) data_ = Data::None;  // CMD12, or any other
    if ((code == 0 || code == 8) && frame_[5] != crc7(frame_.data(), 5)) return refuse(kBadSum);
    if (state_ == State::Off && code != 0) return;  // it does not speak SPI yet
    if (application ? for_applications(now, code) : basic(code, argument)) return;
    if (state_ != State::Ready) return refuse(kIllegal);
    if (!with_blocks(code, argument)) refuse(kIllegal);
  }

  /// Commands at any time. False: it is none of them.
  bool basic(uint8_t code, uint32_t argument) {
    switch (code) {
      case 0:
        state_ = State::Idle;
        begins_.reset();
        respond();
        return true;
      case 8:  // the host's voltage, and a pattern: both come back
        respond();
        for (const unsigned shift : {24u, 16u, 8u, 0u})
          answer_.push_back(static_cast<uint8_t>((argument & 0xfff) >> shift));
        return true;
      case 55:
        application_ = true;
        respond();
        return true;
      case 58:  // all voltages; when ready also: high capacity
        respond();
        answer_.insert(answer_.end(), {static_cast<uint8_t>(state_ == State::Ready ? 0xc0 : 0x00),
                                       0xff, 0x80, 0x00});
        return true;
      case 59:  // sums on or off: those of the host are taken as they are
        respond();
        return true;
      default:
        return false;
    }
  }

  bool for_applications(Nanos now, uint8_t code) {
    switch (code) {
      case 41:
        if (!begins_) begins_ = now;
        if (now - *begins_ >= kBegins) state_ = State::Ready;
        respond();
        return true;
      case 23:  // how many blocks are to be erased before they are written
      case 42:
        respond();
        return true;
      default:
        return false;
    }
  }

  bool with_blocks(uint8_t code, uint32_t argument) {
    switch (code) {
      case 9:
      case 10: {
        respond();
        const std::array<uint8_t, 16> text = code == 9 ? csd() : cid();
        send(text.data(), text.size());
        return true;
      }
      case 12:
        respond();
        return true;
      case 13:
        respond();
        answer_.push_back(0);
        return true;
      case 16:
        if (argument == kBlock)
          respond();
        else
          refuse(kBadParameter);
        return true;
      case 17:
      case 18:
      case 24:
      case 25:
        if (argument >= blocks()) {
          refuse(kBadParameter);
          return true;
        }
        respond();
        place_ = argument;
        many_ = code == 18 || code == 25;
        if (code == 17) send_block(place_);
        if (code == 18) data_ = Data::Reading;
        if (code >= 24) data_ = Data::Awaited, coming_.clear();
        return true;
      default:
        return false;
    }
  }

  /// Blocks that are written: a token, 512 bytes, a sum that is not looked at.
  void take(Nanos now, uint8_t in) {
    if (data_ == Data::Awaited) {
      if (in == (many_ ? kTokenOfMany : kToken)) data_ = Data::Coming;
      if (many_ && in == kEndOfMany) {
        data_ = Data::None;
        busy_until_ = now + kStores;
      }
      return;
    }
    coming_.push_back(in);
    if (coming_.size() < kBlock + 2) return;
    if (place_ < blocks()) {
      std::copy_n(coming_.begin(), kBlock, bytes_.begin() + static_cast<long>(place_ * kBlock));
      ++blocks_written_;
    }
    ++place_;
    coming_.clear();
    answer_ = {0xff, kAccepted};  // the first comes in with the last byte of the sum
    given_ = 0;
    busy_until_ = now + kStores;
    data_ = many_ ? Data::Awaited : Data::None;
  }

  size_t blocks() const { return bytes_.size() / kBlock; }
  void respond(uint8_t wrong = 0) {
    answer_ = {0xff, static_cast<uint8_t>(wrong | (state_ == State::Idle ? kIdle : 0))};
  }
  void refuse(uint8_t why) {
    ++refused_;
    respond(why);
  }

  void send_block(size_t number) {
    if (number >= blocks()) return answer_.push_back(kIllegal << 1);  // error token: out of range
    ++blocks_read_;
    send(bytes_.data() + number * kBlock, kBlock);
  }
  void send(const uint8_t* bytes, size_t size) {
    answer_.insert(answer_.end(), {0xff, kToken});
    answer_.insert(answer_.end(), bytes, bytes + size);
    const uint16_t sum = crc16(bytes, size);
    answer_.insert(answer_.end(), {static_cast<uint8_t>(sum >> 8), static_cast<uint8_t>(sum)});
  }

  /// Version 2.0: capacity in units of 512 KiB.
  std::array<uint8_t, 16> csd() const {
    const auto size = static_cast<uint32_t>(bytes_.size() / kUnit - 1);
    std::array<uint8_t, 16> text{0x40,
                                 0x0e,
                                 0x00,
                                 0x32,
                                 0x5b,
                                 0x59,
                                 0x00,
                                 static_cast<uint8_t>(size >> 16),
                                 static_cast<uint8_t>(size >> 8),
                                 static_cast<uint8_t>(size),
                                 0x7f,
                                 0x80,
                                 0x0a,
                                 0x40,
                                 0x00};
    text[15] = crc7(text.data(), 15);
    return text;
  }
  static std::array<uint8_t, 16> cid() {
    std::array<uint8_t, 16> text{0x00, 'H', 'K', 'C', 'A', 'R',  'D', '0',
                                 0x10, 0,   0,   0,   1,   0x01, 0xab};
    text[15] = crc7(text.data(), 15);
    return text;
  }

  std::string saves_;
  std::vector<uint8_t> bytes_;
  State state_ = State::Off;
  bool application_ = false;     // the next command is for applications (CMD55)
  std::optional<Nanos> begins_;  // first ACMD41
  std::array<uint8_t, 6> frame_{};
  size_t heard_ = 0;  // bytes of a command
  std::vector<uint8_t> answer_, coming_;
  size_t given_ = 0;  // bytes of the answer
  Data data_ = Data::None;
  bool many_ = false;
  size_t place_ = 0;  // the block that is next
  Nanos busy_until_ = 0;
  uint64_t commands_ = 0, blocks_read_ = 0, blocks_written_ = 0, refused_ = 0;
};

}  // namespace

std::unique_ptr<Part> make_sd_card(Workbench& bench, Section& section) {
  return std::make_unique<SdCard>(bench, section);
}

}  // namespace hocket::sim
