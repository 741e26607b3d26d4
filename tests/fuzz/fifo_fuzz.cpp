// Fuzz target: whatever a Linux writes into the window of FIFOs, the loops' calls keep to their
// rings and to their buffers.
//
// The input is a row of steps of four bytes: what, where (two bytes), and a value. A step is a call
// of the loops' side, or a word that Linux writes near what the loops' side works with. With
// libFuzzer: `fifo_fuzz`. Without (HOCKET_CORPUS_RUN): `fifo_corpus` runs random rows, the same
// ones every time.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "hybrid/loops/fifos.h"
#include "tests/unit/hybrid/protocol/guarded_window.h"

namespace {

using hocket::hybrid::FifoFacts;
using hocket::hybrid::Fifos;
using hocket::hybrid::Take;

[[noreturn]] void broken(const char* property) {
  std::fprintf(stderr, "fifo: %s\n", property);
  std::abort();
}

struct Step {
  uint8_t what;
  uint8_t fifo;
  uint16_t where;
};

/// What Linux writes: numbers near what an index or a length is.
uint32_t value(uint16_t where, uint32_t near) {
  switch (where % 5) {
    case 0:
      return where * 0x9e37'79b9u;
    case 1:
      return near + where / 5 % 1024 * 8;
    case 2:
      return near - where / 5 % 1024 * 8;
    case 3:
      return near + HOCKET_FIFO_RING + where / 5 % 9 - 4;
    default:
      return where / 5;
  }
}

class Run {
 public:
  Run() {
    fifos_.open(window_.data(), [] {});
  }

  /// How much the loops have taken or put.
  uint64_t moved() const { return moved_; }

  void step(const Step& step) {
    const unsigned fifo = step.fifo % HOCKET_FIFO_COUNT;
    const unsigned out = fifo & ~1u, in = fifo | 1u;
    hocket_fifo_ends& ends = window_.ends(fifo);
    const size_t size = step.where % (HOCKET_FIFO_RING + 64);
    switch (step.what % 10) {
      case 0:
        return count(fifos_.put(out, buffer_.last(size), size) ? size : 0, size);
      case 1:
        return count(fifos_.get(in, buffer_.last(size), size, Take::Bytes), size);
      case 2:
        return count(fifos_.get(in, buffer_.last(size), size, Take::Record), size);
      case 3:
        return count(fifos_.get(in, buffer_.last(size), size, Take::Exactly), size);
      case 4: {
        const FifoFacts facts = fifos_.facts(fifo);
        if (facts.available > HOCKET_FIFO_MOST || facts.room > HOCKET_FIFO_MOST)
          broken("an impossible room or record");
        return;
      }
      case 5:  // a record as it should be
        return write_record(in, size % 100 + 1);
      case 6:
        return hocket_fifo_say(&ends.reader.index, value(step.where, ends.writer.index));
      case 7:
        return hocket_fifo_say(&ends.writer.index, value(step.where, ends.reader.index));
      case 8:
        return write(HOCKET_FIFO_RINGS + fifo * HOCKET_FIFO_RING +
                         ends.reader.index % HOCKET_FIFO_RING / 4 * 4,
                     value(step.where, 16));
      default:
        return write(step.where % HOCKET_FIFO_WINDOW / 4 * 4, value(step.where, 0));
    }
  }

 private:
  void count(size_t moved, size_t most) {
    if (moved > most) broken("more than there was room for");
    moved_ += moved;
  }
  void write(uint32_t at, uint32_t word) {
    hocket_fifo_say(reinterpret_cast<uint32_t*>(window_.data() + at), word);
  }
  void write_record(unsigned fifo, size_t size) {
    hocket_fifo_writer writer;
    hocket_fifo_writer_resume(&writer, window_.data(), fifo);
    hocket_fifo_put(&writer, buffer_.last(size), static_cast<uint32_t>(size));
  }

  fifo_test::Window window_;
  fifo_test::Guarded buffer_{HOCKET_FIFO_RING + 64};
  Fifos fifos_;
  uint64_t moved_ = 0;
};

uint64_t moved_by(const uint8_t* data, size_t size) {
  Run run;
  for (; size >= 4; data += 4, size -= 4) {
    run.step({data[0], data[1], static_cast<uint16_t>(data[2] | data[3] << 8)});
  }
  return run.moved();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  moved_by(data, size);
  return 0;
}

#ifdef HOCKET_CORPUS_RUN
#include <vector>

#include "simulation/devices/random.h"

int main() {
  const int rows = std::getenv("HOCKET_LONG") != nullptr ? 20'000 : 1'000;
  hocket::sim::Random random(1, "fifo");
  int moving = 0;
  for (int i = 0; i < rows; ++i) {
    std::vector<uint8_t> steps(4 * random.between(1, 300));
    for (uint8_t& byte : steps) byte = static_cast<uint8_t>(random.between(0, 255));
    moving += moved_by(steps.data(), steps.size()) > 0 ? 1 : 0;
  }
  std::printf("%d of %d rows of steps move something\n", moving, rows);
  return moving > rows / 2 ? 0 : 1;
}
#endif
