// The instructions of Armv6-M (Architecture Reference Manual, A5 and A6), one function each.
//
// A function has the core and the instruction's 16 bits. It may set `next_pc_` (which is the next
// instruction), add to `spent_` (which is cost::kInstruction), or refuse with a fault; then it must
// have changed no register.
#pragma once

#include <array>
#include <cstdint>

#include "simulation/rp2040/core/core.h"

namespace hocket::rp2040 {

struct Instructions {
  using Execute = void (*)(Core&, uint32_t code);
  /// By the upper ten bits.
  static const std::array<Execute, 1024> kTable;

  static void execute(Core& core, uint32_t code) { kTable[code >> 6](core, code); }

  // Shift, add, subtract, move, compare (A5.2.1).
  static void lsl_immediate(Core&, uint32_t);
  static void lsr_immediate(Core&, uint32_t);
  static void asr_immediate(Core&, uint32_t);
  static void add_register(Core&, uint32_t);
  static void sub_register(Core&, uint32_t);
  static void add_immediate3(Core&, uint32_t);
  static void sub_immediate3(Core&, uint32_t);
  static void mov_immediate(Core&, uint32_t);
  static void cmp_immediate(Core&, uint32_t);
  static void add_immediate8(Core&, uint32_t);
  static void sub_immediate8(Core&, uint32_t);

  // Data processing (A5.2.2).
  static void and_register(Core&, uint32_t);
  static void eor_register(Core&, uint32_t);
  static void lsl_register(Core&, uint32_t);
  static void lsr_register(Core&, uint32_t);
  static void asr_register(Core&, uint32_t);
  static void adc_register(Core&, uint32_t);
  static void sbc_register(Core&, uint32_t);
  static void ror_register(Core&, uint32_t);
  static void tst_register(Core&, uint32_t);
  static void rsb_immediate(Core&, uint32_t);
  static void cmp_register(Core&, uint32_t);
  static void cmn_register(Core&, uint32_t);
  static void orr_register(Core&, uint32_t);
  static void mul_register(Core&, uint32_t);
  static void bic_register(Core&, uint32_t);
  static void mvn_register(Core&, uint32_t);

  // All registers, and branches to what one has (A5.2.3).
  static void add_high(Core&, uint32_t);
  static void cmp_high(Core&, uint32_t);
  static void mov_high(Core&, uint32_t);
  static void branch_exchange(Core&, uint32_t);

  // Load and store (A5.2.4).
  static void ldr_literal(Core&, uint32_t);
  static void str_register(Core&, uint32_t);
  static void strh_register(Core&, uint32_t);
  static void strb_register(Core&, uint32_t);
  static void ldrsb_register(Core&, uint32_t);
  static void ldr_register(Core&, uint32_t);
  static void ldrh_register(Core&, uint32_t);
  static void ldrb_register(Core&, uint32_t);
  static void ldrsh_register(Core&, uint32_t);
  static void str_immediate(Core&, uint32_t);
  static void ldr_immediate(Core&, uint32_t);
  static void strb_immediate(Core&, uint32_t);
  static void ldrb_immediate(Core&, uint32_t);
  static void strh_immediate(Core&, uint32_t);
  static void ldrh_immediate(Core&, uint32_t);
  static void str_stack(Core&, uint32_t);
  static void ldr_stack(Core&, uint32_t);
  static void push(Core&, uint32_t);
  static void pop(Core&, uint32_t);
  static void stm(Core&, uint32_t);
  static void ldm(Core&, uint32_t);

  // Addresses from pc and sp (A6.7.6, A6.7.5, A6.7.63).
  static void adr(Core&, uint32_t);
  static void add_sp_immediate8(Core&, uint32_t);
  static void adjust_sp(Core&, uint32_t);

  // Miscellaneous (A5.2.5).
  static void sxth(Core&, uint32_t);
  static void sxtb(Core&, uint32_t);
  static void uxth(Core&, uint32_t);
  static void uxtb(Core&, uint32_t);
  static void rev(Core&, uint32_t);
  static void rev16(Core&, uint32_t);
  static void revsh(Core&, uint32_t);
  static void cps(Core&, uint32_t);
  static void bkpt(Core&, uint32_t);
  static void hint(Core&, uint32_t);

  // Branches, calls, and the instructions of 32 bits (A5.2.6, A5.3).
  static void branch_if(Core&, uint32_t);
  static void branch(Core&, uint32_t);
  static void svc(Core&, uint32_t);
  static void wide(Core&, uint32_t);
  static void undefined(Core&, uint32_t);

 private:
  static uint32_t& reg(Core& core, uint32_t number) { return core.registers_.r[number]; }
  static Flags& flags(Core& core) { return core.registers_.flags; }
  static uint32_t sum(Core& core, uint32_t a, uint32_t b, uint32_t carry);
  static void result(Core& core, uint32_t code, uint32_t value);
  static void shifted_left(Core& core, uint32_t to, uint32_t value, uint32_t by);
  static void shifted_right(Core& core, uint32_t to, uint32_t value, uint32_t by);
  static void shifted_right_signed(Core& core, uint32_t to, uint32_t value, uint32_t by);
  template <class T>
  static void load_to(Core& core, uint32_t to, uint32_t address);
  template <class T>
  static void store_from(Core& core, uint32_t from, uint32_t address);
  static bool load_list(Core& core, uint32_t list, uint32_t address, uint32_t* values);
  static void call(Core& core, uint32_t first, uint32_t second);
  static bool condition(const Flags& flags, uint32_t number);
};

}  // namespace hocket::rp2040
