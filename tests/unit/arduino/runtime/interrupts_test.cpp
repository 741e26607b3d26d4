// The pure parts of pin interrupts: accounts of edges, the gate of handlers and sections, the table
// of loops.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "arduino/runtime/edge_account.h"
#include "arduino/runtime/handler_gate.h"
#include "arduino/runtime/loop_table.h"

namespace hocket::runtime {
namespace {

TEST(EdgeAccount, EachEdgeIsDeliveredWaitsOrIsLost) {
  std::mt19937 dice(1);
  for (int round = 0; round < 200; ++round) {
    EdgeAccount account;
    uint64_t arrived = 0, delivered = 0, lost = 0, waiting = 0;
    for (int step = 0; step < 2'000; ++step) {
      switch (dice() % 4) {
        case 0: {
          const uint64_t count = dice() % 8 == 0 ? dice() : dice() % 5;
          const uint64_t kept = std::min<uint64_t>(count, EdgeAccount::kMostWaiting - waiting);
          EXPECT_EQ(account.arrive(count), kept);
          arrived += count;
          waiting += kept;
          lost += count - kept;
          break;
        }
        case 1:
          if (dice() % 200 == 0) {
            account.lose(LostEdge::Detached);
            lost += waiting;
            waiting = 0;
          }
          break;
        default:
          if (waiting == 0) break;
          account.deliver();
          --waiting;
          ++delivered;
      }
      ASSERT_EQ(account.arrived(), arrived);
      ASSERT_EQ(account.delivered(), delivered);
      ASSERT_EQ(account.waiting(), waiting);
      ASSERT_EQ(account.lost(), lost);
      ASSERT_EQ(arrived, delivered + waiting + lost);
    }
  }
}

/// Handlers and loops at random; after each step what the gate promises is looked at from outside.
TEST(HandlerGate, NobodyIsInTheMiddleOfWhatOthersProtect) {
  using Hold = HandlerGate::Hold;
  struct Handler {
    bool active = false;
    Hold hold = Hold::None;
  };
  std::mt19937 dice(7);
  for (int round = 0; round < 300; ++round) {
    HandlerGate gate;
    std::vector<Handler> handlers(3);
    std::vector<Hold> loops(3, Hold::None);
    for (int step = 0; step < 500; ++step) {
      if (dice() % 2 == 0) {
        Handler& handler = handlers[dice() % handlers.size()];
        if (!handler.active) {
          if (gate.may_begin()) {
            gate.begin();
            handler.active = true;
          }
        } else if (handler.hold == Hold::Wants) {
          gate.enter(handler.hold, /*handler=*/true);
        } else if (dice() % 2 == 0) {
          if (handler.hold == Hold::None) gate.want(handler.hold, /*handler=*/true);
        } else {
          gate.leave(handler.hold, /*handler=*/true);
          gate.end();
          handler.active = false;
        }
      } else {
        Hold& hold = loops[dice() % loops.size()];
        if (hold == Hold::None) {
          gate.want(hold, /*handler=*/false);
        } else if (hold == Hold::Wants) {
          gate.enter(hold, /*handler=*/false);
        } else {
          gate.leave(hold, /*handler=*/false);
        }
      }
      unsigned running = 0, inside = 0, sections = 0;
      for (const Handler& handler : handlers) {
        running += handler.active && handler.hold != Hold::Wants;
        inside += handler.hold == Hold::Inside;
      }
      for (const Hold hold : loops) sections += hold == Hold::Inside;
      ASSERT_TRUE(sections == 0 || running == 0);  // a loop's section: no handler runs
      ASSERT_LE(inside, 1u);                       // a handler's: no other one does
      ASSERT_TRUE(inside == 0 || running == 1);
    }
    // Whoever is inside leaves, whoever runs ends: then everybody gets what he waits for.
    for (int turn = 0; turn < 20; ++turn) {
      for (Handler& handler : handlers) {
        if (!handler.active) continue;
        if (handler.hold == Hold::Wants && !gate.enter(handler.hold, /*handler=*/true)) continue;
        gate.leave(handler.hold, /*handler=*/true);
        gate.end();
        handler.active = false;
      }
      for (Hold& hold : loops) {
        if (hold == Hold::Wants) gate.enter(hold, /*handler=*/false);
        if (hold == Hold::Inside) gate.leave(hold, /*handler=*/false);
      }
    }
    EXPECT_TRUE(gate.may_begin());
  }
}

LoopDescriptor declared(LoopKind kind, uint8_t id, uint64_t period_ms, uint32_t line = 1) {
  LoopDescriptor d{};
  d.file = "sketch.ino";
  d.line = line;
  d.budget_ns = 1'000'000;
  d.period_ns = d.deadline_ns = period_ms * 1'000'000;
  d.id = id;
  d.core = LoopDescriptor::kAnyCore;
  d.kind = kind;
  return d;
}

TEST(LoopTable, HandlersGetNumbersAndABottomHalf) {
  const LoopDescriptor loop = declared(LoopKind::Loop, 253, 100);
  const LoopDescriptor first = declared(LoopKind::Handler, 0, 10);
  const LoopDescriptor second = declared(LoopKind::Handler, 0, 40);
  LoopTable<8> table;
  table.clear();
  for (const LoopDescriptor* each : {&loop, &first, &second}) table.add(*each);
  ASSERT_EQ(table.complete(30'000), nullptr);
  ASSERT_EQ(table.count(), 4u);
  EXPECT_EQ(table[0].descriptor->id, 253);
  EXPECT_EQ(table[1].descriptor->id, 252);
  EXPECT_EQ(table[1].declared, &first);
  EXPECT_EQ(table[2].descriptor->id, 251);
  EXPECT_EQ(table[3].descriptor->kind, LoopKind::BottomHalf);
  EXPECT_EQ(table[3].descriptor->period_ns, 10'000'000u);
  EXPECT_EQ(table[3].descriptor->budget_ns, 500'000u);  // a twentieth
}

TEST(LoopTable, NothingIsAddedWithoutHandlers) {
  const LoopDescriptor loop = declared(LoopKind::Loop, 1, 100);
  LoopTable<8> table;
  table.clear();
  table.add(loop);
  EXPECT_EQ(table.complete(30'000), nullptr);
  EXPECT_EQ(table.count(), 1u);
}

LoopDescriptor for_pins(LoopDescriptor d, int16_t first, int16_t last) {
  d.pin = first;
  d.mode = last;
  return d;
}

TEST(LoopTable, OfSeveralBudgetsOfOneIoVirtualCpuTheLargestShareIsAdmitted) {
  const LoopDescriptor small = declared(LoopKind::BottomHalf, 0, 20, 3);
  const LoopDescriptor large = declared(LoopKind::BottomHalf, 0, 10, 4);
  const LoopDescriptor off = [] {
    LoopDescriptor d = declared(LoopKind::BottomHalf, 0, 10, 5);
    d.budget_ns = 0;
    return d;
  }();
  LoopTable<8> table;
  table.clear();
  for (const LoopDescriptor* each : {&small, &off, &large, &small}) table.add(*each);
  ASSERT_EQ(table.complete(30'000), nullptr);
  ASSERT_EQ(table.count(), 1u);
  EXPECT_EQ(table[0].declared, &large);
  table.clear();
  table.add(off);
  EXPECT_NE(std::string(table.complete(30'000)).find("no budget anywhere"), std::string::npos);
}

TEST(LoopTable, PinsMayHaveAnIoVirtualCpuOfTheirOwn) {
  const LoopDescriptor some = for_pins(declared(LoopKind::BottomHalf, 0, 10, 3), 2, 4);
  const LoopDescriptor others = for_pins(declared(LoopKind::BottomHalf, 0, 10, 4), 5, 5);
  const LoopDescriptor inside = for_pins(declared(LoopKind::Handler, 0, 10), 3, 2);
  const LoopDescriptor outside = for_pins(declared(LoopKind::Handler, 0, 30), 6, 2);
  LoopTable<8> table;
  table.clear();
  for (const LoopDescriptor* each : {&some, &others, &inside}) table.add(*each);
  ASSERT_EQ(table.complete(30'000, 7), nullptr);
  EXPECT_EQ(table.count(), 3u);  // nobody needs one for all pins
  table.clear();
  for (const LoopDescriptor* each : {&some, &inside, &outside}) table.add(*each);
  ASSERT_EQ(table.complete(30'000, 7), nullptr);
  ASSERT_EQ(table.count(), 4u);
  EXPECT_TRUE(table[3].descriptor->is_for_all());
  EXPECT_EQ(table[3].descriptor->period_ns, 30'000'000u);
  EXPECT_NE(std::string(table.complete(30'000, 1)).find("more I/O virtual CPUs than"),
            std::string::npos);
}

TEST(LoopTable, APinHasOneIoVirtualCpu) {
  const LoopDescriptor one = for_pins(declared(LoopKind::BottomHalf, 0, 10, 3), 2, 4);
  const LoopDescriptor other = for_pins(declared(LoopKind::BottomHalf, 0, 20, 4), 4, 6);
  LoopTable<8> table;
  table.clear();
  table.add(one);
  table.add(other);
  EXPECT_STREQ(table.complete(30'000, 7),
               "one pin's interruptsVcpu() is written twice: sketch.ino:3 and sketch.ino:4");
}

TEST(LoopTable, APinThatTheBoardDoesNotHaveIsRefusedWhereItIsWritten) {
  LoopDescriptor handler = declared(LoopKind::Handler, 0, 10, 5);
  for (const int16_t pin : {int16_t{69}, int16_t{70}}) {
    handler.pin = pin;
    LoopTable<8> table;
    table.clear();
    table.add(handler);
    const char* const error = table.complete<70>(30'000, 7);
    if (pin == 69) EXPECT_EQ(error, nullptr);
    if (pin == 70) {
      EXPECT_STREQ(
          error,
          "attachInterruptVcpu() at sketch.ino:5 is for pin 70, which this board does not have");
    }
  }
}

TEST(LoopTable, NeitherADirectHandlerNorARangeMayGoBeyondTheLastPin) {
  LoopDescriptor direct = declared(LoopKind::Direct, 0, 10, 6);
  direct.pin = 70;
  const LoopDescriptor range = for_pins(declared(LoopKind::BottomHalf, 0, 10, 7), 60, 71);
  for (const LoopDescriptor& wrong : {direct, range}) {
    LoopTable<8> table;
    table.clear();
    table.add(wrong);
    const char* const error = table.complete<70>(30'000, 7);
    ASSERT_NE(error, nullptr);
    const std::string place = wrong.line == 6
                                  ? "attachInterruptDirect() at sketch.ino:6 is for pin 70"
                                  : "interruptsVcpu() at sketch.ino:7 is for pin 71";
    EXPECT_EQ(std::string(error), place + ", which this board does not have");
    table.clear();
    table.add(wrong);
    EXPECT_EQ(table.complete(30'000, 7), nullptr);
  }
}

TEST(LoopTable, DirectHandlersAreNoLoops) {
  std::vector<LoopDescriptor> all(9, declared(LoopKind::Direct, 0, 10));
  LoopTable<8> table;
  table.clear();
  for (unsigned i = 0; i < 8; ++i) table.add(all[i]);
  EXPECT_EQ(table.complete(30'000), nullptr);
  EXPECT_EQ(table.count(), 0u);
  EXPECT_EQ(table.direct_count(), 8u);
  EXPECT_EQ(&table.direct(3), &all[3]);
  table.add(all[8]);
  EXPECT_NE(std::string(table.complete(30'000)).find("is one too many: a sketch has 8 direct"),
            std::string::npos);
}

TEST(LoopTable, MoreThanThereIsRoomForIsTold) {
  std::vector<LoopDescriptor> loops;
  for (uint8_t id = 1; id <= 8; ++id) loops.push_back(declared(LoopKind::Loop, id, 100));
  loops.back() = declared(LoopKind::Handler, 0, 10);
  LoopTable<8> table;
  table.clear();
  for (const LoopDescriptor& each : loops) table.add(each);
  ASSERT_NE(table.complete(30'000), nullptr);  // the bottom half has no place
  EXPECT_NE(std::string(table.complete(30'000)).find("more than 8 loops"), std::string::npos);
}

}  // namespace
}  // namespace hocket::runtime
