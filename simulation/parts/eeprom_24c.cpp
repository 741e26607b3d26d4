// A serial EEPROM of the 24C family on the I²C bus (Microchip 24AA256, data sheet DS20001203;
// 24LC01B/02B, DS20001711).
//
// A write names a memory address (one byte up to 24C16, two from 24C32 on) and continues with up to
// a page of bytes, which wrap within their page. They are stored after the stop condition, and
// until that is done the device acknowledges nothing. A read continues from the address, and wraps.
// Kinds with one address byte have the upper bits in the lowest bits of their bus address.

#include "simulation/parts/kept_bytes.h"
#include "simulation/parts/part.h"

namespace hocket::sim {
namespace {

struct Kind {
  const char* name;
  uint32_t size, page;
  unsigned place_bytes;
  unsigned address_bits;  // of the place, in the device's address
};
constexpr Kind kKinds[] = {
    {"24C01", 128, 8, 1, 0},      {"24C02", 256, 8, 1, 0},     {"24C04", 512, 16, 1, 1},
    {"24C08", 1024, 16, 1, 2},    {"24C16", 2048, 16, 1, 3},   {"24C32", 4096, 32, 2, 0},
    {"24C64", 8192, 32, 2, 0},    {"24C128", 16384, 64, 2, 0}, {"24C256", 32768, 64, 2, 0},
    {"24C512", 65536, 128, 2, 0},
};

class Eeprom24c final : public Part {
 public:
  Eeprom24c(Workbench& bench, Section& section)
      : Part(bench, section),
        kind_(kKinds[section.choice_or("kind", 8,
                                       {"24C01", "24C02", "24C04", "24C08", "24C16", "24C32",
                                        "24C64", "24C128", "24C256", "24C512"})]),
        stores_(section.time_or("write_time", 5'000'000)),
        kept_(section),
        bytes_(kind_.size) {
    const auto base = static_cast<uint8_t>(section.number_or("address", 0x50, 0x50, 0x57));
    const unsigned blocks = 1u << kind_.address_bits;
    if (base % blocks != 0)
      section.fail("needs an address that ends in zeros where its places begin");
    ends_.reserve(blocks);  // the bus keeps their addresses
    for (unsigned block = 0; block < blocks; ++block) {
      ends_.push_back(End(*this, block));
      if (!bench.i2c[0].connect(static_cast<uint8_t>(base + block), ends_.back()))
        section.fail("has an address that another part has on the same bus");
      hinder_i2c(section, ends_.back());
    }
    kept_.load(bytes_);
  }

  void facts(Facts& facts, Nanos) const override {
    facts.count("size", kind_.size);
    facts.count("pages_stored", pages_);
    facts.count("bytes_read", bytes_read_);
    facts.count("refused_while_storing", refused_);
    facts.count("used_bytes", used_bytes(bytes_));
  }
  void ended(Nanos) override { kept_.save(bytes_); }

 private:
  /// The device at one of its addresses: 256 bytes of its own in kinds with one byte of place.
  class End final : public I2cTarget {
   public:
    End(Eeprom24c& memory, unsigned block) : memory_(memory), block_(block) {}
    bool addressed(Nanos now, bool reads) override { return memory_.addressed(now, reads, block_); }
    bool takes(Nanos, uint8_t byte) override { return memory_.takes(byte); }
    uint8_t gives(Nanos) override { return memory_.gives(); }
    void stopped(Nanos now) override { memory_.stopped(now); }

   private:
    Eeprom24c& memory_;
    unsigned block_;
  };

  bool addressed(Nanos now, bool reads, unsigned block) {
    if (now < busy_until_) {
      ++refused_;
      return false;
    }
    page_.clear();  // of a write that no stop has ended: it is not stored
    if (kind_.address_bits > 0) place_ = (place_ & 0xff) | block << 8;
    block_ = block;
    place_left_ = reads ? 0 : kind_.place_bytes;
    if (!reads) named_ = 0;
    return true;
  }

  bool takes(uint8_t byte) {
    if (place_left_ > 0) {
      named_ = named_ << 8 | byte;
      if (--place_left_ == 0) place_ = (block_ << 8 | named_) % kind_.size;
      return true;
    }
    page_.emplace_back(place_, byte);
    place_ = place_ / kind_.page * kind_.page + (place_ + 1) % kind_.page;
    return true;
  }

  uint8_t gives() {
    const uint8_t byte = bytes_[place_];
    place_ = (place_ + 1) % kind_.size;
    ++bytes_read_;
    return byte;
  }

  void stopped(Nanos now) {
    if (page_.empty()) return;
    busy_until_ = now + stores_;
    ++pages_;
    for (const auto& [place, byte] : page_) bytes_[place] = byte;
    page_.clear();
  }

  const Kind& kind_;
  Nanos stores_;
  KeptBytes kept_;
  std::vector<uint8_t> bytes_;
  std::vector<End> ends_;
  std::vector<std::pair<uint32_t, uint8_t>> page_;  // what is to be stored at the stop
  uint32_t place_ = 0, named_ = 0;
  unsigned block_ = 0, place_left_ = 0;
  Nanos busy_until_ = 0;
  uint64_t pages_ = 0, bytes_read_ = 0, refused_ = 0;
};

}  // namespace

std::unique_ptr<Part> make_eeprom_24c(Workbench& bench, Section& section) {
  return std::make_unique<Eeprom24c>(bench, section);
}

}  // namespace hocket::sim
