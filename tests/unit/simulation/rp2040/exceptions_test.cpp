// Faults, lockup, privilege, the MPU and sleep: what tests/rp2040 cannot compare with another core.
#include <gtest/gtest.h>

#include "tests/unit/simulation/rp2040/rig.h"

namespace hocket::rp2040::test {
namespace {

constexpr uint32_t kHardFaultVector = kVectors + 12, kOtherHandler = kHandler + 0x20;

TEST(Faults, GoToHardFaultWithThePlaceOfTheInstruction) {
  Rig rig({0xbf00, 0x6808});  // nop; ldr r0, [r1]
  rig.r(1) = kData + 2;
  rig.steps(2);
  EXPECT_EQ(rig.core.last_fault().kind, Fault::Kind::Unaligned);
  EXPECT_EQ(rig.core.last_fault().address, kData + 2);
  EXPECT_EQ(rig.core.registers().exception, exception::kHardFault);
  EXPECT_EQ(rig.word(rig.r(13) + 24), kCode + 2);
  EXPECT_EQ(rig.r(14), 0xffff'fff9u);
}

TEST(Faults, InAHardFaultLockTheCoreUp) {
  Rig rig({0xde00});  // udf
  rig.put(kHandler, {0xde00});
  rig.run_for(1000);
  EXPECT_EQ(rig.core.state(), Core::State::LockedUp);
  ASSERT_TRUE(rig.chip.stopped());
  EXPECT_EQ(rig.chip.stopped()->kind, Chip::Stop::Kind::LockedUp);
  EXPECT_NE(rig.chip.stopped()->text.find("core 0, pc 0x20000200"), std::string::npos)
      << rig.chip.stopped()->text;
}

TEST(Faults, OfCodeThatIsNotThumb) {
  Rig rig({0x4708});  // bx r1
  rig.r(1) = kData;
  rig.steps(2);
  EXPECT_EQ(rig.core.last_fault().kind, Fault::Kind::NotThumb);
  EXPECT_EQ(rig.word(rig.r(13) + 24), kData);
}

TEST(Faults, ByASupervisorCallWhereInterruptsAreMasked) {
  Rig rig({0xb672, 0xdf00});  // cpsid i; svc 0
  rig.steps(2);
  EXPECT_EQ(rig.core.registers().exception, exception::kHardFault);
  EXPECT_EQ(rig.core.last_fault().kind, Fault::Kind::SupervisorCall);
}

TEST(Faults, ALoadOfSeveralChangesNoRegister) {
  Rig rig({0xc9fc});  // ldmia r1!, {r2-r7}
  rig.r(1) = kRamBase + kRamSize - 8;
  for (unsigned i = 2; i < 8; ++i) rig.r(i) = i;
  rig.steps(1);
  EXPECT_EQ(rig.core.last_fault().kind, Fault::Kind::Nothing);
  EXPECT_EQ(rig.r(1), kRamBase + kRamSize - 8);
  for (unsigned i = 2; i < 8; ++i) EXPECT_EQ(rig.r(i), i);
}

/// Unprivileged on the process stack, with a region of the MPU over all of RAM but its first 4 kB.
struct Unprivileged : Rig {
  explicit Unprivileged(std::initializer_list<uint16_t> code, uint32_t stack = kStack) : Rig(code) {
    write(0xe000'ed9c, kRamBase | 0x10);  // 4 kB of code, read only for it
    write(0xe000'eda0, 2u << 24 | 11 << 1 | 1);
    write(0xe000'ed9c, (kRamBase + 0x2000) | 0x11);  // 8 kB of data
    write(0xe000'eda0, 1u << 28 | 3u << 24 | 12 << 1 | 1);
    write(0xe000'ed94, 5);
    core.registers().use_stack(true);
    r(13) = stack;
    core.registers().stack(false) = kRamBase + 0x1800;
    core.registers().unprivileged = true;
    core.registers_changed();
  }
};
constexpr uint32_t kOwnData = kRamBase + 0x2000;

TEST(Privilege, UnprivilegedCodeHasItsDataAlone) {
  Unprivileged own({0x6008, 0x6010}, kOwnData + 0x100);  // str r0, [r1]; str r0, [r2]
  own.r(0) = 42;
  own.r(1) = kOwnData;
  own.r(2) = kVectors;
  own.steps(1);
  EXPECT_EQ(own.word(kOwnData), 42u);
  own.steps(1);
  EXPECT_EQ(own.core.last_fault().kind, Fault::Kind::NoWrite);
  EXPECT_EQ(own.core.last_fault().address, kVectors);
  EXPECT_EQ(own.r(14), 0xffff'fffdu);
}

TEST(Privilege, UnprivilegedCodeChangesNoSpecialRegister) {
  // msr primask, r1; msr control, r2; cpsid i; mrs r3, primask
  Unprivileged own({0xf381, 0x8810, 0xf382, 0x8814, 0xb672, 0xf3ef, 0x8310}, kOwnData + 0x100);
  own.r(1) = 1;
  own.r(2) = 0;
  own.steps(4);
  EXPECT_EQ(own.core.faults(), 0u);
  EXPECT_FALSE(own.core.registers().masked);
  EXPECT_TRUE(own.core.registers().unprivileged);
  EXPECT_TRUE(own.core.registers().process_stack);
}

TEST(Privilege, TheCoresOwnRegistersAreForHandlers) {
  Unprivileged own({0x6808}, kOwnData + 0x100);  // ldr r0, [r1]
  own.r(1) = 0xe000'ed00;
  own.steps(1);
  EXPECT_EQ(own.core.last_fault().kind, Fault::Kind::PrivateAccess);
}

TEST(Privilege, ExecutionWhereItIsForbidden) {
  Unprivileged own({0x4708}, kOwnData + 0x100);  // bx r1
  own.r(1) = kOwnData | 1;
  own.steps(2);
  EXPECT_EQ(own.core.last_fault().kind, Fault::Kind::NoExecute);
}

TEST(Stacking, AnInterruptWithoutRoomForItsFrameIsAHardFaultOnTheMainStack) {
  Unprivileged own({0xbf00, 0xbf00}, kOwnData + 16);
  own.put_word(kHardFaultVector, kOtherHandler | 1);
  own.core.nvic().enable(1);
  own.core.set_line(0, true);
  own.steps(1);
  EXPECT_EQ(own.core.registers().exception, exception::kHardFault);
  EXPECT_EQ(own.core.pc(), kOtherHandler);
  EXPECT_FALSE(own.core.registers().process_stack);
  EXPECT_EQ(own.r(13), kRamBase + 0x1800);
  EXPECT_TRUE(own.core.nvic().pending(exception::kFirstInterrupt));
}

TEST(Stacking, AFaultWithoutRoomForItsFrameDoesNotLockUp) {
  Unprivileged own({0xb5f0}, kOwnData + 8);  // push {r4-r7, lr}
  own.steps(1);
  EXPECT_EQ(own.core.registers().exception, exception::kHardFault);
  EXPECT_EQ(own.core.state(), Core::State::Running);
  EXPECT_EQ(own.core.faults(), 2u);
}

TEST(Sleep, MaskedSectionIsLeftBeforeTheHandlerRuns) {
  Rig rig({0xb672, 0xbf30, 0x2001, 0xb662, 0x2002});  // cpsid; wfi; movs r0,#1; cpsie; movs r0,#2
  rig.core.nvic().enable(1u << 5);
  rig.r(0) = 0;
  rig.run_for(100);
  EXPECT_EQ(rig.core.state(), Core::State::Sleeping);
  rig.core.set_line(5, true);
  rig.chip.told();
  EXPECT_TRUE(rig.core.runs());
  rig.steps(3);  // movs, cpsie, and the entry
  EXPECT_EQ(rig.core.registers().exception, exception::kFirstInterrupt + 5);
  EXPECT_EQ(rig.word(rig.r(13)), 1u);  // r0 in the frame: the second movs did not run
}

TEST(Sleep, AnEventBeforeWaitingForItIsNotLost) {
  Rig rig({0xbf40, 0xbf20, 0x2001, 0xbf20});  // sev; wfe; movs r0, #1; wfe
  rig.run_for(100);
  EXPECT_EQ(rig.r(0), 1u);
  EXPECT_EQ(rig.core.state(), Core::State::WaitingForEvent);
}

TEST(Interrupts, ALevelAsksAgainAfterEachReturn) {
  Rig rig({0xbf00, 0xe7fd});            // nop; b .-2
  rig.put(kHandler, {0x3401, 0x4770});  // adds r4, #1; bx lr
  rig.r(4) = 0;
  rig.core.nvic().enable(1u << 9);
  rig.core.set_line(9, true);
  rig.run_for(1000);
  EXPECT_GT(rig.r(4), 20u);
  rig.core.set_line(9, false);
  rig.run_for(100);
  const uint32_t count = rig.r(4);
  rig.run_for(1000);
  EXPECT_EQ(rig.r(4), count);
}

}  // namespace
}  // namespace hocket::rp2040::test
