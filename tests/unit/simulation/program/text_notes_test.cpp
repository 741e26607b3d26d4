// Texts on serial ports are found where they are, whatever else is sent.
#include "simulation/program/text_notes.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

namespace hocket::program {
namespace {

TextNotes heard(const std::string& sent, const std::vector<std::string>& texts) {
  TextNotes notes(texts);
  for (std::size_t i = 0; i < sent.size(); ++i) {
    notes.sent(10 * (i + 1), 0, static_cast<std::uint8_t>(sent[i]));
  }
  return notes;
}

TextTimes of(const TextNotes& notes, const std::string& text, unsigned port = 0) {
  for (const TextTimes& each : notes.all()) {
    if (each.text == text && each.port == port) return each;
  }
  ADD_FAILURE() << text << " on port " << port << " is not told";
  return {};
}

TEST(TextNotes, TellsWhenTheLastByteHadLeft) {
  const TextTimes found = of(heard("a pong, pong\n", {"pong", "ping"}), "pong");
  EXPECT_EQ(found.count, 2u);
  EXPECT_EQ(found.times, (std::vector<Nanos>{60, 120}));
  EXPECT_EQ(of(heard("a pong", {"pong", "ping"}), "ping").count, 0u);
}

TEST(TextNotes, KeepsPortsApart) {
  TextNotes notes({"ab"});
  notes.sent(1, 1, 'a');
  notes.sent(2, 2, 'b');
  notes.sent(3, 1, 'b');
  EXPECT_EQ(of(notes, "ab", 1).times, (std::vector<Nanos>{3}));
  EXPECT_EQ(of(notes, "ab", 2).count, 0u);
}

TEST(TextNotes, CountsOnWhenItKeepsNoMoreTimes) {
  const TextTimes found = of(heard(std::string(TextTimes::kMost + 5, 'x'), {"x"}), "x");
  EXPECT_EQ(found.count, TextTimes::kMost + 5);
  EXPECT_EQ(found.times.size(), TextTimes::kMost);
}

/// Against a search in all that was sent, of two letters so that texts overlap.
RC_GTEST_PROP(TextNotesProperty, FindsWhatASearchFinds, ()) {
  const auto letters = rc::gen::container<std::string>(rc::gen::element('a', 'b'));
  const std::string sent = *letters, text = *rc::gen::nonEmpty(letters);
  std::vector<Nanos> wanted;
  for (std::size_t at = 0; (at = sent.find(text, at)) != std::string::npos; at += text.size()) {
    wanted.push_back(10 * (at + text.size()));
  }
  const TextTimes found = of(heard(sent, {text}), text);
  RC_ASSERT(found.times == wanted);
  RC_ASSERT(found.count == wanted.size());
}

}  // namespace
}  // namespace hocket::program
