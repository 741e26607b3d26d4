// Cycles of each instruction as in table 3-1 of the Cortex-M0+ manual (Arm DDI 0484C), and of
// accesses to devices as `Timing` says.
#include <gtest/gtest.h>

#include "tests/unit/simulation/rp2040/rig.h"

namespace hocket::rp2040::test {
namespace {

struct Row {
  const char* instruction;
  std::vector<uint16_t> code;
  uint32_t cycles;
};

void PrintTo(const Row& row, std::ostream* out) {
  *out << row.instruction;
}

class CyclesOf : public testing::TestWithParam<Row> {};

// r5 is an address of SIO, r6 one of a device at the APB bridge, r7 one of RAM, r4 one of code.
TEST_P(CyclesOf, OneInstruction) {
  Rig rig;
  rig.put(kCode, GetParam().code);
  rig.r(3) = 0;
  rig.r(4) = kCode + 0x41;
  rig.r(5) = kPortBase;
  rig.r(6) = kTimer + 0x28;
  rig.r(7) = kData;
  for (uint32_t at = kStack; at < kStack + 64; at += 4) rig.put_word(at, kCode + 0x41);
  rig.core.registers_changed();
  const Cycles before = rig.core.cycle();
  rig.core.step();
  EXPECT_EQ(rig.core.cycle() - before, GetParam().cycles);
  EXPECT_EQ(rig.core.faults(), 0u);
}

INSTANTIATE_TEST_SUITE_P(
    Table, CyclesOf,
    testing::Values(Row{"movs r0, #1", {0x2001}, 1}, Row{"adds r0, r0, r1", {0x1840}, 1},
                    Row{"muls r0, r1", {0x4348}, 1}, Row{"cmp r0, r1", {0x4288}, 1},
                    Row{"lsls r0, r0, r1", {0x4088}, 1}, Row{"sxtb r0, r0", {0xb240}, 1},
                    Row{"rev r0, r0", {0xba00}, 1}, Row{"adr r0, .+8", {0xa001}, 1},
                    Row{"add sp, #8", {0xb002}, 1}, Row{"mov r0, r8", {0x4640}, 1},
                    Row{"mov pc, r4", {0x46a7}, 2}, Row{"add pc, r3", {0x449f}, 2},
                    Row{"ldr r0, [r7]", {0x6838}, 2}, Row{"ldrb r0, [r7]", {0x7838}, 2},
                    Row{"ldrh r0, [r7]", {0x8838}, 2}, Row{"str r0, [r7]", {0x6038}, 2},
                    Row{"ldr r0, [sp]", {0x9800}, 2}, Row{"ldr r0, [pc, #0]", {0x4800}, 2},
                    Row{"ldmia r7!, {r0}", {0xcf01}, 2}, Row{"ldmia r7!, {r0-r2}", {0xcf07}, 4},
                    Row{"stmia r7!, {r0-r2}", {0xc707}, 4}, Row{"push {r0}", {0xb401}, 2},
                    Row{"push {r0-r2}", {0xb407}, 4}, Row{"push {lr}", {0xb500}, 2},
                    Row{"push {r4-r7, lr}", {0xb5f0}, 6}, Row{"pop {r0}", {0xbc01}, 2},
                    Row{"pop {r0-r2}", {0xbc07}, 4}, Row{"pop {pc}", {0xbd00}, 4},
                    Row{"pop {r0, pc}", {0xbd01}, 5}, Row{"pop {r0-r3, pc}", {0xbd0f}, 8},
                    Row{"b .+8", {0xe002}, 2}, Row{"beq, not taken", {0xd002}, 1},
                    Row{"bne, taken", {0xd102}, 2}, Row{"bl .+8", {0xf000, 0xf802}, 3},
                    Row{"blx r4", {0x47a0}, 2}, Row{"bx r4", {0x4720}, 2},
                    Row{"mrs r0, primask", {0xf3ef, 0x8010}, 3},
                    Row{"msr primask, r3", {0xf383, 0x8810}, 3}, Row{"dmb", {0xf3bf, 0x8f5f}, 3},
                    Row{"dsb", {0xf3bf, 0x8f4f}, 3}, Row{"isb", {0xf3bf, 0x8f6f}, 3},
                    Row{"nop", {0xbf00}, 1}, Row{"yield", {0xbf10}, 1}, Row{"cpsid i", {0xb672}, 1},
                    Row{"sev", {0xbf40}, 1}, Row{"wfe", {0xbf20}, 2}, Row{"wfi", {0xbf30}, 2},
                    Row{"ldr r0, [r5] at SIO", {0x6828}, 1},
                    Row{"str r0, [r5, #20] at SIO", {0x6168}, 1},
                    Row{"ldr r0, [r6] at the APB bridge", {0x6830}, 1 + Timing{}.apb_load},
                    Row{"str r0, [r6] at the APB bridge", {0x6030}, 1 + Timing{}.apb_store}));

TEST(Cycles, EntryAndReturnAreThoseOfTheStruct) {
  Rig rig({0xbf00});
  rig.put(kHandler, {0x4770});  // bx lr
  rig.core.set_line(3, true);
  rig.core.nvic().enable(1u << 3);
  rig.core.set_line(3, false);
  const Cycles before = rig.core.cycle();
  rig.core.step();
  EXPECT_EQ(rig.core.cycle() - before, Timing{}.entry);
  EXPECT_EQ(rig.core.pc(), kHandler);
  rig.core.step();
  EXPECT_EQ(rig.core.cycle() - before, Timing{}.entry + 2 + Timing{}.exit);
  EXPECT_EQ(rig.core.pc(), kCode);
}

TEST(Cycles, OfAnInstantAndBack) {
  EXPECT_EQ(nanos(125), 1000u);
  EXPECT_EQ(cycles_at(1000), 125u);
  EXPECT_EQ(cycles_at(1001), 126u);
}

}  // namespace
}  // namespace hocket::rp2040::test
