// Fuzz target: what an AVR image says of its loops, spoilt anyhow, is accepted exactly when a
// second opinion accepts it, and then it can be admitted or refused like any loops; what is refused
// is refused in words.
//
// With libFuzzer: `avr_records_fuzz FOLDER`, the input being changes to good records (spoil()).
// Without (HOCKET_CORPUS_RUN): a fixed number of random changes, the same every time.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "arduino/cores/avr8/image/declared.h"
#include "simulation/avr/admitted_facts.h"

namespace {

using Bytes = std::vector<uint8_t>;

[[noreturn]] void broken(const char* property, const std::string& detail) {
  std::fprintf(stderr, "avr records: %s: %s\n", property, detail.c_str());
  std::abort();
}

class Builder {
 public:
  template <class Number>
  Builder& put(Number value) {
    const auto* bytes = reinterpret_cast<const uint8_t*>(&value);
    bytes_.insert(bytes_.end(), bytes, bytes + sizeof value);
    return *this;
  }
  Bytes take() {
    bytes_[0] = static_cast<uint8_t>(bytes_.size());
    return std::move(bytes_);
  }

 private:
  Bytes bytes_{0, 0};  // the size comes last
};

Bytes good_kernel() {
  Builder b;
  b.put(uint16_t{0}).put(uint16_t{0x300}).put(uint16_t{0x310});
  for (const uint8_t place : {3, 5, 40, 50, 4, 0}) b.put(place);
  for (const uint8_t state : {1, 2, 3, 4, 1}) b.put(state);
  return b.put(uint8_t{90}).put(uint16_t{192}).put(uint32_t{2'000'000}).take();
}

Bytes good_loop(uint8_t id, uint64_t budget, uint16_t memory) {
  Builder b;
  b.put(id).put(uint8_t{0}).put(uint8_t{0xff}).put(uint8_t{0}).put(uint32_t{7});
  b.put(budget).put(uint64_t{100'000'000}).put(uint64_t{90'000'000});
  b.put(uint16_t{192}).put(memory).put(uint16_t{0x1234}).put(uint8_t{0xff}).put(uint8_t{0});
  for (const char letter : {'a', '.', 'i', 'n', 'o', '\0'}) b.put(letter);
  return b.take();
}

Bytes good_section() {
  Bytes section = good_kernel();
  for (const Bytes& loop : {good_loop(1, 40'000'000, 0x100), good_loop(2, 20'000'000, 0x400),
                            good_loop(9, 5'000'000, 0x600)}) {
    section.insert(section.end(), loop.begin(), loop.end());
  }
  return section;
}

/// Each change is three bytes: where, and what is there then; 255 cuts the section off there.
Bytes spoil(Bytes section, const Bytes& changes) {
  for (size_t i = 0; i + 3 <= changes.size() && !section.empty(); i += 3) {
    const size_t where = changes[i] % section.size();
    if (changes[i + 1] == 255) {
      section.resize(where);
    } else {
      section[where] = changes[i + 2];
    }
  }
  return section;
}

/// The second opinion, by literal places in the bytes.
class Opinion {
 public:
  explicit Opinion(const Bytes& bytes) : bytes_(bytes) {}

  bool acceptable() {
    while (at_ < bytes_.size()) {
      if (!whole_record()) return false;
      if (!(bytes_[at_ + 2] == 0 ? kernel() : loop())) return false;
      at_ += size_;
    }
    if (kernels_ > 1 || (kernels_ == 0 && loops_ > 0) || loops_ > 7 || ids_.size() != loops_) {
      return false;
    }
    // A byte is nobody's, or one loop's. (A bit each: this is made anew thirty thousand times.)
    std::vector<bool> owned(0x10000 + 0x2000, false);
    for (const auto& [memory, stack] : memories_) {
      for (unsigned i = memory; i < memory + state_bytes_ + stack; ++i) {
        if (i < 0x100 || i >= 0x900 || owned[i]) return false;
        owned[i] = true;
      }
    }
    return true;
  }

 private:
  uint64_t number(size_t place, size_t bytes) const {
    uint64_t value = 0;
    for (size_t i = 0; i < bytes; ++i) value |= uint64_t{bytes_[at_ + place + i]} << (8 * i);
    return value;
  }
  bool whole_record() {
    if (bytes_.size() - at_ < 2) return false;
    size_ = number(0, 2);
    return size_ >= 3 && size_ <= bytes_.size() - at_;
  }
  bool kernel() {
    ++kernels_;
    if (size_ != 26 || number(3, 1) > 5 || number(22, 4) != 2'000'000) return false;
    state_bytes_ = static_cast<unsigned>(number(19, 1));
    for (const size_t place : {8, 9, 10, 11}) {
      if (number(place, 1) >= state_bytes_) return false;
    }
    return number(20, 2) >= 128 && number(20, 2) <= 1536;
  }
  bool loop() {
    ++loops_;
    if (size_ < 43 || number(3, 1) > 1 || number(5, 1) > 1) return false;
    const uint64_t core = number(4, 1), budget = number(10, 8), period = number(18, 8);
    const uint64_t deadline = number(26, 8), stack = number(34, 2);
    if (core > 63 && core != 255) return false;
    if (budget == 0 || budget > deadline || deadline > period || period > 240'000'000'000) {
      return false;
    }
    if (stack < 128 || stack > 1536) return false;
    if (number(40, 1) > 31 && number(40, 1) != 255) return false;
    for (size_t i = 42; i + 1 < size_; ++i) {
      if (bytes_[at_ + i] == 0) return false;
    }
    ids_.insert(static_cast<unsigned>(number(2, 1)));
    memories_.emplace_back(number(36, 2), stack);
    return bytes_[at_ + size_ - 1] == 0;
  }

  const Bytes& bytes_;
  size_t at_ = 0, size_ = 0;
  size_t kernels_ = 0, loops_ = 0;
  unsigned state_bytes_ = 0;
  std::set<unsigned> ids_;
  std::vector<std::pair<unsigned, unsigned>> memories_;
};

/// What was accepted can be admitted, or refused with reasons.
void admit(const hocket::uno::Declared& declared) {
  hocket::program::RunFacts facts{};
  hocket::avr::tell_admission(declared, hocket::uno::admit(declared, /*anyway=*/false), facts);
  if (facts.loops.size() != declared.loops.size()) broken("loops were lost", "");
  if (facts.accepted == facts.reasons.empty()) return;
  broken("reasons", std::to_string(facts.reasons.size()));
}

/// Whether the spoilt records are accepted.
bool accepted(const Bytes& changes) {
  const Bytes section = spoil(good_section(), changes);
  const bool expected = Opinion(section).acceptable();
  bool taken = false;
  std::string why;
  try {
    admit(hocket::uno::read_records(section, hocket::avr::kAtmega328p));
    taken = true;
  } catch (const hocket::uno::BadFirmware& problem) {
    why = problem.what();
    if (why.empty()) broken("refused without a word", "");
  }
  if (taken != expected) broken("opinions differ", taken ? "accepted" : why);
  return taken;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  accepted(Bytes(data, data + size));
  return 0;
}

#ifdef HOCKET_CORPUS_RUN
#include "simulation/devices/random.h"

int main() {
  constexpr int kSections = 30'000;
  hocket::sim::Random random(1, "avr records");
  int good = 0;
  if (!accepted({})) broken("the good records", "are refused");
  for (int i = 0; i < kSections; ++i) {
    Bytes changes(3 * static_cast<size_t>(random.between(1, 3)));
    for (uint8_t& byte : changes) byte = static_cast<uint8_t>(random.between(0, 255));
    good += accepted(changes) ? 1 : 0;
  }
  std::printf("%d of %d spoilt sections are accepted\n", good, kSections);
  return good > 0 && good < kSections ? 0 : 1;
}
#endif
