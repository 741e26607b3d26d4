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

/// Handlers and loops at random. After each step, what the gate promises is checked from outside:
/// by what each of them knows of itself.
class RandomGate {
 public:
  using Section = HandlerGate::Section;
  using State = Section::State;
  static constexpr unsigned kEach = 3;

  explicit RandomGate(unsigned seed) : dice_(seed) {}

  void step(bool revokes) {
    if (revokes && dice_() % 40 == 0 && !gate_.is_open()) return revoke();
    if (dice_() % 2 == 0) {
      step_handler(handlers_[dice_() % kEach]);
    } else {
      step_loop(loops_[dice_() % kEach], /*goes_on=*/true);
    }
  }

  /// Nothing is asked for any more, and what has begun ends: everything that waits gets its turn.
  void drain() {
    for (int turn = 0; turn < 60; ++turn) {
      for (Handler& handler : handlers_) {
        if (handler.active) {
          end(handler);
        } else if (handler.turn.waits && gate_.may_begin(handler.turn)) {
          begin(handler);
        }
      }
      for (Loop& loop : loops_) step_loop(loop, /*goes_on=*/false);
    }
    EXPECT_TRUE(gate_.is_open());
    for (const Handler& handler : handlers_) EXPECT_FALSE(handler.active || handler.turn.waits);
    for (const Loop& loop : loops_) EXPECT_EQ(loop.section.state, State::None);
  }

  void check() const {
    unsigned running = 0, inside = 0, sections = 0;
    for (const Handler& handler : handlers_) {
      running += handler.active && handler.section.state != State::Wants;
      inside += gate_.is_inside(handler.section);
      // Sections that were asked for after it had found the gate closed: none begins before it.
      ASSERT_EQ(handler.overtaken, 0u);
    }
    for (const Loop& loop : loops_) {
      sections += gate_.is_inside(loop.section);
      // By those that have their turn, and by those that waited before it, once each.
      if (!revoked_) ASSERT_LE(loop.overtaken, 2 * kEach);
    }
    ASSERT_TRUE(sections == 0 || running == 0);  // a loop's section: no handler runs
    ASSERT_LE(inside, 1u);                       // a handler's: no other one does
    ASSERT_TRUE(inside == 0 || running == 1);
  }

 private:
  struct Handler {
    bool active = false;
    Section section{};
    HandlerGate::Turn turn{};
    uint64_t waits_since = 0;
    unsigned overtaken = 0;
  };
  struct Loop {
    Section section{};
    uint64_t wants_since = 0;
    unsigned overtaken = 0;
  };

  void begin(Handler& handler) {
    for (Loop& loop : loops_) loop.overtaken += loop.section.state == State::Wants;
    gate_.begin(handler.turn);
    handler.active = true;
  }
  void end(Handler& handler) {
    gate_.leave(handler.section, /*handler=*/true);
    gate_.end();
    handler.active = false;
  }
  void has_begun(uint64_t asked) {
    for (Handler& handler : handlers_) {
      handler.overtaken += handler.turn.waits && handler.waits_since < asked;
    }
  }

  void step_handler(Handler& handler) {
    ++time_;
    if (!handler.active) {
      if (gate_.may_begin(handler.turn)) return begin(handler);
      if (!handler.turn.waits) handler.waits_since = time_;
      gate_.wait(handler.turn);
      if (dice_() % 8 == 0) gate_.forget(handler.turn);  // its pin is detached
    } else if (handler.section.state == State::Wants) {
      if (gate_.enter(handler.section, /*handler=*/true)) has_begun(asked_);
    } else if (dice_() % 2 == 0) {
      if (handler.section.state != State::None) return;
      gate_.want(handler.section, /*handler=*/true);
      asked_ = 0;  // (its call has the turn already)
    } else {
      end(handler);
    }
  }

  void step_loop(Loop& loop, bool goes_on) {
    ++time_;
    if (loop.section.state == State::None) {
      if (!goes_on) return;
      loop.wants_since = time_;
      loop.overtaken = 0;
      gate_.want(loop.section, /*handler=*/false);
    } else if (loop.section.state == State::Wants) {
      if (gate_.enter(loop.section, /*handler=*/false)) has_begun(loop.wants_since);
    } else {
      gate_.leave(loop.section, /*handler=*/false);
    }
  }

  /// By a handler that waits: it has its turn then, and sections that had begun protect no more.
  void revoke() {
    Handler& handler = handlers_[dice_() % kEach];
    if (handler.active || gate_.may_begin(handler.turn)) return;
    if (!handler.turn.waits) handler.waits_since = ++time_;
    gate_.wait(handler.turn);
    bool had_begun = false;
    for (const Loop& loop : loops_) had_begun |= gate_.is_inside(loop.section);
    for (const Handler& each : handlers_) had_begun |= gate_.is_inside(each.section);
    EXPECT_EQ(gate_.revoke(), had_begun);
    revoked_ = true;
    EXPECT_TRUE(gate_.may_begin(handler.turn));
    for (const Loop& loop : loops_) EXPECT_FALSE(gate_.is_inside(loop.section));
  }

  std::mt19937 dice_;
  HandlerGate gate_;
  Handler handlers_[kEach];
  Loop loops_[kEach];
  uint64_t time_ = 0;
  uint64_t asked_ = 0;
  bool revoked_ = false;
};

TEST(HandlerGate, NobodyIsInTheMiddleOfWhatOthersProtectAndNobodyWaitsForEver) {
  for (const bool revokes : {false, true}) {
    for (unsigned round = 0; round < 300; ++round) {
      RandomGate gate(round);
      for (int step = 0; step < 500; ++step) {
        gate.step(revokes);
        gate.check();
        if (testing::Test::HasFailure()) return;
      }
      gate.drain();
      if (testing::Test::HasFailure()) return;
    }
  }
}

/// Two loops whose sections overlap without end: a handler has its turn when those that had begun
/// before it have ended.
TEST(HandlerGate, SectionsThatOverlapWithoutEndLetAHandlerBegin) {
  HandlerGate gate;
  HandlerGate::Section sections[2];
  HandlerGate::Turn turn;
  gate.want(sections[0], false);
  ASSERT_TRUE(gate.enter(sections[0], false));
  gate.want(sections[1], false);
  ASSERT_TRUE(gate.enter(sections[1], false));
  gate.wait(turn);
  gate.leave(sections[0], false);
  gate.want(sections[0], false);
  EXPECT_FALSE(gate.enter(sections[0], false));  // the handler comes before it
  EXPECT_FALSE(gate.may_begin(turn));
  gate.leave(sections[1], false);
  ASSERT_TRUE(gate.may_begin(turn));
  HandlerGate::Turn other;
  EXPECT_FALSE(gate.may_begin(other));  // the section has waited longer
  gate.begin(turn);
  EXPECT_FALSE(gate.enter(sections[0], false));
  gate.end();
  EXPECT_TRUE(gate.enter(sections[0], false));
}

TEST(HandlerGate, ARevokedSectionProtectsNoMoreAndEndsWithoutEffect) {
  HandlerGate gate;
  HandlerGate::Section section, next;
  HandlerGate::Turn turn;
  gate.want(section, false);
  ASSERT_TRUE(gate.enter(section, false));
  gate.wait(turn);
  EXPECT_TRUE(gate.revoke());
  EXPECT_TRUE(gate.is_revoked(section));
  ASSERT_TRUE(gate.may_begin(turn));
  gate.begin(turn);
  gate.want(next, false);
  EXPECT_FALSE(gate.enter(next, false));
  gate.end();
  EXPECT_TRUE(gate.enter(next, false));
  gate.leave(section, false);
  EXPECT_TRUE(gate.is_inside(next));
  gate.leave(next, false);
  EXPECT_TRUE(gate.is_open());
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
  EXPECT_NE(std::string(table.complete(30'000)).find("without a budget no handler"),
            std::string::npos);
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
  EXPECT_NE(std::string(table.complete(30'000)).find("is one too many: a sketch can have 8 direct"),
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
