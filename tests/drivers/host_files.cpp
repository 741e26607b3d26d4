// Semihosting: the command line names a folder of the host; files and a FIFO there are read and
// written.
#include "tests/drivers/bare/bare.h"

namespace {

using bare::Semihosting;
using File = Semihosting::File;
using Mode = Semihosting::Mode;

char folder[256];
char path[300];
uint8_t data[100'000];

/// The path of a file in the folder.
const char* in_folder(const char* name) {
  char* end = path;
  for (const char* from = folder; *from != '\0'; ++from) *end++ = *from;
  *end++ = '/';
  for (; *name != '\0'; ++name) *end++ = *name;
  *end = '\0';
  return path;
}

uint64_t sum(size_t size) {
  uint64_t result = 0;
  for (size_t i = 0; i < size; ++i) result = result * 31 + data[i];
  return result;
}

}  // namespace

void bare::run() {
  char small[4];
  expect(Semihosting::command_line(small, sizeof small) == -1, "a command line that does not fit");
  const int64_t size = Semihosting::command_line(folder, sizeof folder);
  expect(size > 0 && folder[size] == '\0', "a command line");

  expect(!Semihosting::open(in_folder("missing"), Mode::Read).ok(), "a missing file");
  line("error ", static_cast<uint64_t>(Semihosting::error()));

  for (size_t i = 0; i < sizeof data; ++i) data[i] = static_cast<uint8_t>(i * i >> 3);
  const uint64_t written = sum(sizeof data);
  File file = Semihosting::open(in_folder("written"), Mode::Write);
  expect(file.ok(), "a file to write");
  expect(Semihosting::write(file, data, sizeof data) == sizeof data, "all is written");
  expect(!Semihosting::interactive(file), "it is no terminal");
  expect(Semihosting::close(file), "closed");

  file = Semihosting::open(in_folder("written"), Mode::Read);
  expect(Semihosting::length(file) == sizeof data, "its length");
  for (uint8_t& byte : data) byte = 0;
  expect(Semihosting::read(file, data, sizeof data) == sizeof data, "all is read");
  expect(sum(sizeof data) == written, "the same bytes");
  expect(Semihosting::read(file, data, 1) == 0, "then its end");
  expect(Semihosting::close(file), "closed again");
  expect(Semihosting::write(file, data, 1) == 0, "a closed file takes nothing");

  file = Semihosting::open(in_folder("fifo"), Mode::Read);
  expect(file.ok(), "a FIFO");
  const size_t got = Semihosting::read(file, data, sizeof data);
  line("fifo ", uint64_t{got}, " ", sum(got));
}
