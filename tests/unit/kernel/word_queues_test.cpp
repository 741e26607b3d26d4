// Queues at a sketch's words: against a slow model while the sketch behaves, and whole when it does
// not.
#include "kernel/task/word_queues.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <deque>
#include <vector>

namespace {

constexpr unsigned kMost = 5;
using Queues = hocket::WordQueues<kMost, int>;
using Answer = Queues::Answer;

/// The stores of these tests never fail, but the compiler's weak ones may.
Answer take_or_wait(Queues& queues, int& word, unsigned number) {
  for (;;) {
    const Answer answer = queues.take_or_wait(word, number, static_cast<int>(number) + 100);
    if (answer != Answer::LookAgain) return answer;
  }
}
unsigned give(Queues& queues, int& word) {
  for (;;) {
    const Queues::Given given = queues.give(word);
    if (given.done) return given.number;
  }
}

TEST(WordQueues, FirstComeFirstServed) {
  Queues queues;
  int word = 1;
  EXPECT_EQ(take_or_wait(queues, word, 3), Answer::Taken);
  EXPECT_EQ(word, 0);
  for (unsigned number : {3u, 0u, 4u}) EXPECT_EQ(take_or_wait(queues, word, number), Answer::None);
  EXPECT_EQ(word, ~3) << "the first of them";
  EXPECT_EQ(queues.take(word), Answer::None);
  EXPECT_EQ(queues.who(3), 103);
  EXPECT_EQ(give(queues, word), 3u);
  EXPECT_FALSE(queues.waits(3));
  EXPECT_EQ(give(queues, word), 0u);
  EXPECT_EQ(give(queues, word), 4u);
  EXPECT_EQ(word, 0) << "the last one is served: nothing says that somebody waits";
  EXPECT_EQ(give(queues, word), Queues::kNobody);
  EXPECT_EQ(word, 1);
}

TEST(WordQueues, TheHighestCountStays) {
  Queues queues;
  int word = Queues::kHighest;
  EXPECT_EQ(give(queues, word), Queues::kNobody);
  EXPECT_EQ(word, Queues::kHighest);
}

TEST(WordQueues, AWordThatNamesSomebodyElseHasNoQueue) {
  Queues queues;
  int one = 0, other = 0;
  take_or_wait(queues, one, 1);
  take_or_wait(queues, one, 2);
  for (int forged : {~1, ~2, ~0, -1000, ~static_cast<int>(kMost)}) {
    other = forged;
    EXPECT_EQ(give(queues, other), Queues::kNobody);
    EXPECT_EQ(other, 1);
  }
  one = ~2;  // waits here, but does not lead
  EXPECT_EQ(give(queues, one), Queues::kNobody);
  one = ~1;
  EXPECT_EQ(give(queues, one), 1u) << "forgotten meanwhile, not lost";
  EXPECT_EQ(give(queues, one), 2u);
}

/// What each word would be, and who waits at it.
struct Model {
  int count = 0;
  std::deque<unsigned> queue;
  int word() const { return queue.empty() ? count : ~static_cast<int>(queue.front()); }
};

RC_GTEST_PROP(WordQueues, AreTheModels, ()) {
  Queues queues;
  Model model[3];
  int words[3] = {};
  std::vector<int> at(kMost, -1);  // the word that each one waits at
  const auto steps =
      *rc::gen::container<std::vector<unsigned>>(rc::gen::inRange(0u, 3u * kMost * 3u));
  for (unsigned step : steps) {
    const unsigned which = step % 3, number = step / 3 % kMost;
    Model& there = model[which];
    if (step / 3 / kMost == 0 && at[number] < 0) {
      const bool taken = there.count > 0;
      if (taken) {
        --there.count;
      } else {
        there.queue.push_back(number);
        at[number] = static_cast<int>(which);
      }
      RC_ASSERT(take_or_wait(queues, words[which], number) ==
                (taken ? Answer::Taken : Answer::None));
    } else if (step / 3 / kMost == 1) {
      unsigned served = Queues::kNobody;
      if (there.queue.empty()) {
        ++there.count;
      } else {
        served = there.queue.front();
        there.queue.pop_front();
        at[served] = -1;
      }
      RC_ASSERT(give(queues, words[which]) == served);
    } else if (at[number] >= 0) {
      std::erase(model[at[number]].queue, number);
      queues.leave(number);
      at[number] = -1;
    }
    for (unsigned i = 0; i < 3; ++i) RC_ASSERT(words[i] == model[i].word());
    for (unsigned i = 0; i < kMost; ++i) RC_ASSERT(queues.waits(i) == (at[i] >= 0));
  }
}

/// Whatever the sketch writes: nobody is served who does not wait, or at another word, and each can
/// leave.
RC_GTEST_PROP(WordQueues, BelieveNothing, ()) {
  Queues queues;
  int words[3] = {};
  std::vector<int> at(kMost, -1);
  const auto steps = *rc::gen::container<std::vector<std::pair<unsigned, int>>>(rc::gen::pair(
      rc::gen::inRange(0u, 4u * kMost * 3u), rc::gen::inRange(-static_cast<int>(kMost) - 2, 3)));
  for (const auto& [step, value] : steps) {
    const unsigned which = step % 3, number = step / 3 % kMost;
    const unsigned kind = step / 3 / kMost;
    if (kind == 0 && at[number] < 0) {
      if (take_or_wait(queues, words[which], number) == Answer::None) {
        at[number] = static_cast<int>(which);
      }
    } else if (kind == 1) {
      const unsigned served = give(queues, words[which]);
      if (served != Queues::kNobody) {
        RC_ASSERT(at[served] == static_cast<int>(which));
        at[served] = -1;
      }
    } else if (kind == 2) {
      words[which] = value;
    } else if (at[number] >= 0) {
      queues.leave(number);
      at[number] = -1;
    }
    for (unsigned i = 0; i < kMost; ++i) RC_ASSERT(queues.waits(i) == (at[i] >= 0));
  }
  for (unsigned i = 0; i < kMost; ++i) {
    if (at[i] >= 0) queues.leave(i);
    RC_ASSERT(!queues.waits(i));
  }
}

}  // namespace
