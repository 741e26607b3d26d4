// Which instruction it is, by its upper ten bits (Armv6-M ARM, A5.2).
#include "simulation/rp2040/core/instructions.h"

namespace hocket::rp2040 {
namespace {

using I = Instructions;

/// From this first halfword on, until that of the next row.
struct Range {
  uint32_t from;
  I::Execute execute;
};

constexpr Range kRanges[] = {
    {0x0000, I::lsl_immediate},
    {0x0800, I::lsr_immediate},
    {0x1000, I::asr_immediate},
    {0x1800, I::add_register},
    {0x1a00, I::sub_register},
    {0x1c00, I::add_immediate3},
    {0x1e00, I::sub_immediate3},
    {0x2000, I::mov_immediate},
    {0x2800, I::cmp_immediate},
    {0x3000, I::add_immediate8},
    {0x3800, I::sub_immediate8},
    {0x4000, I::and_register},
    {0x4040, I::eor_register},
    {0x4080, I::lsl_register},
    {0x40c0, I::lsr_register},
    {0x4100, I::asr_register},
    {0x4140, I::adc_register},
    {0x4180, I::sbc_register},
    {0x41c0, I::ror_register},
    {0x4200, I::tst_register},
    {0x4240, I::rsb_immediate},
    {0x4280, I::cmp_register},
    {0x42c0, I::cmn_register},
    {0x4300, I::orr_register},
    {0x4340, I::mul_register},
    {0x4380, I::bic_register},
    {0x43c0, I::mvn_register},
    {0x4400, I::add_high},
    {0x4500, I::cmp_high},
    {0x4600, I::mov_high},
    {0x4700, I::branch_exchange},
    {0x4800, I::ldr_literal},
    {0x5000, I::str_register},
    {0x5200, I::strh_register},
    {0x5400, I::strb_register},
    {0x5600, I::ldrsb_register},
    {0x5800, I::ldr_register},
    {0x5a00, I::ldrh_register},
    {0x5c00, I::ldrb_register},
    {0x5e00, I::ldrsh_register},
    {0x6000, I::str_immediate},
    {0x6800, I::ldr_immediate},
    {0x7000, I::strb_immediate},
    {0x7800, I::ldrb_immediate},
    {0x8000, I::strh_immediate},
    {0x8800, I::ldrh_immediate},
    {0x9000, I::str_stack},
    {0x9800, I::ldr_stack},
    {0xa000, I::adr},
    {0xa800, I::add_sp_immediate8},
    {0xb000, I::adjust_sp},
    {0xb100, I::undefined},
    {0xb200, I::sxth},
    {0xb240, I::sxtb},
    {0xb280, I::uxth},
    {0xb2c0, I::uxtb},
    {0xb300, I::undefined},
    {0xb400, I::push},
    {0xb600, I::undefined},
    {0xb640, I::cps},
    {0xb680, I::undefined},
    {0xba00, I::rev},
    {0xba40, I::rev16},
    {0xba80, I::undefined},
    {0xbac0, I::revsh},
    {0xbb00, I::undefined},
    {0xbc00, I::pop},
    {0xbe00, I::bkpt},
    {0xbf00, I::hint},
    {0xc000, I::stm},
    {0xc800, I::ldm},
    {0xd000, I::branch_if},
    {0xde00, I::undefined},
    {0xdf00, I::svc},
    {0xe000, I::branch},
    {0xe800, I::undefined},
    {0xf000, I::wide},
    {0xf800, I::undefined},
    {0x10000, nullptr},
};

constexpr std::array<I::Execute, 1024> make_table() {
  std::array<I::Execute, 1024> table{};
  const Range* range = kRanges;
  for (uint32_t i = 0; i < table.size(); ++i) {
    while ((range + 1)->from <= i << 6) ++range;
    table[i] = range->execute;
  }
  return table;
}

}  // namespace

constinit const std::array<Instructions::Execute, 1024> Instructions::kTable = make_table();

}  // namespace hocket::rp2040
