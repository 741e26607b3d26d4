// When texts were sent on the serial ports: see text_notes.h.
#include "simulation/program/text_notes.h"

namespace hocket::program {

TextNotes::TextNotes(const std::vector<std::string>& texts) {
  for (unsigned port = 0; port < ports_.size(); ++port) {
    for (const std::string& text : texts) ports_[port].push_back({.times = {text, port}});
  }
}

void TextNotes::sent(Nanos when, unsigned port, std::uint8_t byte) {
  for (Search& search : ports_[port]) {
    const std::string& text = search.times.text;
    std::string& recent = search.recent;
    recent += static_cast<char>(byte);
    if (recent.size() > text.size()) recent.erase(0, recent.size() - text.size());
    if (recent != text) continue;
    recent.clear();
    if (++search.times.count <= TextTimes::kMost) search.times.times.push_back(when);
  }
}

std::vector<TextTimes> TextNotes::all() const {
  std::vector<TextTimes> all;
  for (const std::vector<Search>& port : ports_) {
    for (const Search& search : port) all.push_back(search.times);
  }
  return all;
}

}  // namespace hocket::program
