// A fuzz target without libFuzzer: every file of its corpus, and a fixed number of mutations of
// each, the same ones every time (forty times as many with HOCKET_LONG). A file whose name ends in
// "refused" must be refused, any other accepted.
#pragma once

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "simulation/devices/random.h"

namespace hocket::fuzz {

struct Corpus {
  const char* program;
  const char* what;  // what accepted mutations are
  int mutations;     // of each file
  bool (*accepted)(const std::string&);
  std::string (*mutated)(std::string, sim::Random&);
  /// Makes the input that is mutated out of a file's text, where they differ.
  std::string (*compiled)(const std::string&) = nullptr;
};

/// The program `corpus.program FOLDER`: its exit status.
inline int run(const Corpus& corpus, int count, char** words) {
  if (count != 2) return std::fprintf(stderr, "usage: %s FOLDER\n", corpus.program), 2;
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(words[1])) {
    files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  if (files.empty()) return std::fprintf(stderr, "%s: the folder is empty\n", corpus.program), 2;
  const int mutations = (std::getenv("HOCKET_LONG") != nullptr ? 40 : 1) * corpus.mutations;
  for (const auto& file : files) {
    std::ifstream in(file, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    if (corpus.accepted(text) != !file.stem().string().ends_with("refused")) {
      std::fprintf(stderr, "%s: %s: its name says something else\n", corpus.program, file.c_str());
      return 1;
    }
    const std::string input = corpus.compiled == nullptr ? text : corpus.compiled(text);
    sim::Random random(1, file.filename().string());
    int good = 0;
    for (int i = 0; i < mutations; ++i) {
      good += corpus.accepted(corpus.mutated(input, random)) ? 1 : 0;
    }
    std::fprintf(stderr, "%s: %d of %d mutations are %s\n", file.filename().c_str(), good,
                 mutations, corpus.what);
  }
  return 0;
}

}  // namespace hocket::fuzz
