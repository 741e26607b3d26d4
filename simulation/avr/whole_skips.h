// libsimavr takes ADIW and SBIW by 12 to 15, 28 to 31, 44 to 47 and 60 to 63 for an instruction of
// two words, where a skip passes over them: it compares too few of their bits. Compilers write such
// a skip to divide a signed number by 16 (SBRC, then ADIW by 15). While the skip is executed, a NOP
// stands there instead.
#pragma once

#include <simavr/sim_avr.h>

#include <cstdint>

namespace hocket::avr {

class WholeSkips {
 public:
  /// Before the instruction at the program counter is executed.
  explicit WholeSkips(avr_t* avr) {
    const uint8_t* code = avr->flash + (avr->pc & avr->flashend);
    if (!skips(word(code)) || avr->pc + 3 > avr->flashend) return;
    uint8_t* behind = avr->flash + avr->pc + 2;
    if (!is_mistaken(word(behind))) return;
    place_ = behind;
    kept_[0] = behind[0];
    kept_[1] = behind[1];
    behind[0] = behind[1] = 0;
  }
  ~WholeSkips() {
    if (place_ == nullptr) return;
    place_[0] = kept_[0];
    place_[1] = kept_[1];
  }
  WholeSkips(const WholeSkips&) = delete;
  WholeSkips& operator=(const WholeSkips&) = delete;

 private:
  static uint16_t word(const uint8_t* code) {
    return static_cast<uint16_t>(code[0] | code[1] << 8);
  }
  /// CPSE, SBRC, SBRS, SBIC, SBIS
  static bool skips(uint16_t code) {
    return (code & 0xfc00) == 0x1000 || (code & 0xfc08) == 0xfc00 || (code & 0xfd00) == 0x9900;
  }
  /// ADIW and SBIW, with the bits that JMP and CALL have, too
  static bool is_mistaken(uint16_t code) { return (code & 0xfe0c) == 0x960c; }

  uint8_t* place_ = nullptr;
  uint8_t kept_[2] = {};
};

}  // namespace hocket::avr
