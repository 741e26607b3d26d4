// A Print that collects, and a Stream that reads a given text.
#pragma once

#include <Arduino.h>

#include <string>
#include <vector>

/// Collects what is printed; refuses bytes beyond `room`.
class Collector : public Print {
 public:
  size_t write(uint8_t byte) override {
    if (text.size() >= room) return 0;
    text += static_cast<char>(byte);
    return 1;
  }
  using Print::setWriteError;
  using Print::write;

  std::string taken() {
    std::string result;
    result.swap(text);
    return result;
  }

  std::string text;
  size_t room = SIZE_MAX;
};

/// Also remembers how the bytes were grouped.
class Grouped : public Print {
 public:
  size_t write(uint8_t byte) override { return write(&byte, 1); }
  size_t write(const uint8_t* data, size_t size) override {
    groups.emplace_back(reinterpret_cast<const char*>(data), size);
    return size;
  }
  using Print::write;

  std::vector<std::string> groups;
};

/// Delivers `text`, then nothing.
class TextStream : public Stream {
 public:
  explicit TextStream(std::string source) : text(std::move(source)) { setTimeout(5); }
  int available() override { return static_cast<int>(text.size() - at); }
  int read() override {
    const int c = peek();
    if (c >= 0) skip();
    return c;
  }
  int peek() override { return at < text.size() ? static_cast<unsigned char>(text[at]) : -1; }
  size_t write(uint8_t) override { return 1; }
  using Stream::findMulti;
  using Stream::MultiTarget;

  void skip() { ++at; }
  std::string rest() const { return text.substr(at); }

 private:
  std::string text;
  size_t at = 0;
};
