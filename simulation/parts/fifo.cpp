// A program of Linux at one FIFO: writes records at given times, or reads what the loops put.
//
// It sleeps until it is notified, and then needs `wakes` to begin. A reader takes all available
// records. A writer whose record has no room waits, and later records wait behind it.

#include <algorithm>
#include <string>

#include "simulation/devices/fifo_window.h"
#include "simulation/parts/part.h"

namespace hocket::sim {
namespace {

constexpr size_t kMostShown = 1000;

/// Two digits for each byte.
std::string hex(std::string_view bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string digits;
  for (const char byte : bytes) {
    digits += kDigits[static_cast<unsigned char>(byte) / 16];
    digits += kDigits[static_cast<unsigned char>(byte) % 16];
  }
  return digits;
}

class Fifo final : public Part, private FifoUser {
 public:
  Fifo(Workbench& bench, Section& section)
      : Part(bench, section),
        fifo_(static_cast<unsigned>(section.number("fifo", 0, HOCKET_FIFO_COUNT - 1))),
        wakes_(section.time_or("wakes", 100'000)) {
    if (!bench.fifos.claim(fifo_, *this)) section.fail("is at a FIFO that another part has");
    reads_ = hocket_fifo_to_linux(fifo_);
    if (reads_) {
      if (section.has("send")) section.fail("sends into a FIFO that goes to Linux");
      for (const Item& item : section.list("expect")) expected_.push_back(item.text(""));
    } else {
      if (section.has("expect")) section.fail("expects records of a FIFO that comes from Linux");
      for (const Item& item : section.list("send")) add_sending(item);
    }
  }

  void start() override {
    void* const window = bench_.fifos.memory();
    if (reads_) {
      hocket_fifo_reader_resume(&reader_, window, fifo_);
    } else {
      hocket_fifo_writer_resume(&writer_, window, fifo_);
    }
    hocket_fifo_line& own = reads_ ? *reader_.own : *writer_.own;
    hocket_fifo_say(&own.open, 1);
    hocket_fifo_want(&own, reads_);
    if (!sendings_.empty()) bench_.events.schedule(sendings_.front().at, *this, kSend);
  }

  void due(Nanos now, uint64_t token) override {
    if (token == kSend) {
      send(now);
    } else {
      awake_ = false;
      read(now);
    }
  }

  void facts(Facts& facts, Nanos) const override {
    const hocket_fifo_counts& own = reads_ ? reader_.counts : writer_.counts;
    const hocket_fifo_line& loops = reads_ ? *reader_.other : *writer_.other;
    facts.count("fifo", fifo_);
    facts.count("records", own.done);
    facts.count("loops_lost", loops.lost);
    facts.count("loops_lost_bytes", loops.lost_bytes);
    if (reads_) {
      facts.count("bytes", bytes_);
      facts.count("expected", expected_.size());
      facts.count("seen", seen_);
      facts.flag("all_seen", seen_ == expected_.size());
      facts.json("missing", seen_ == expected_.size() ? "null" : json_string(expected_[seen_]));
      facts.json("got", "[" + shown_ + "]");
    } else {
      facts.count("waiting", sendings_.size() - next_);
    }
  }

 private:
  enum Token : uint64_t { kSend, kRead };
  struct Sending {
    Nanos at;
    std::string record;
  };

  void add_sending(const Item& item) {
    item.only({"at", "text", "hex"});
    if (item.has("text") == item.has("hex")) item.fail("needs either text or hex");
    std::string record = item.text(item.has("text") ? "text" : "hex");
    if (record.empty()) item.fail("must not be empty");
    if (record.size() > HOCKET_FIFO_MOST) item.fail("is longer than a record: 4088 bytes");
    const auto at = static_cast<Nanos>(item.number("at", 0, kLongestTime));
    if (!sendings_.empty() && at < sendings_.back().at) item.fail("must have ascending times");
    sendings_.push_back({at, std::move(record)});
  }

  void told(Nanos now) override {
    const hocket_fifo_line& own = reads_ ? *reader_.own : *writer_.own;
    if (awake_ || own.wanted == 0) return;
    awake_ = true;
    bench_.events.schedule(now + wakes_, *this, reads_ ? kRead : kSend);
  }

  /// Sends all records that are due, as long as there is room.
  void send(Nanos now) {
    awake_ = false;
    hocket_fifo_want(writer_.own, false);
    while (next_ < sendings_.size() && sendings_[next_].at <= now) {
      const std::string& record = sendings_[next_].record;
      const auto bytes = static_cast<uint32_t>(record.size());
      if (hocket_fifo_room(&writer_) < bytes) return hocket_fifo_want(writer_.own, true);
      hocket_fifo_put(&writer_, record.data(), bytes);
      ++next_;
    }
    if (next_ < sendings_.size()) {
      bench_.events.schedule(sendings_[next_].at, *this, kSend);
    }
  }

  void read(Nanos now) {
    std::string record(HOCKET_FIFO_MOST, '\0');
    while (const uint32_t bytes =
               hocket_fifo_get_record(&reader_, record.data(), HOCKET_FIFO_MOST)) {
      take(now, std::string_view(record).substr(0, bytes));
    }
  }
  void take(Nanos now, std::string_view record) {
    bytes_ += record.size();
    if (seen_ < expected_.size() && record.find(expected_[seen_]) != record.npos) ++seen_;
    if (reader_.counts.done > kMostShown) return;
    Facts facts;
    facts.micros("at_us", now);
    facts.text("hex", hex(record));
    facts.text("text", record);
    shown_ += (shown_.empty() ? "" : ", ") + facts.str();
  }

  unsigned fifo_;
  Nanos wakes_;
  bool reads_ = false;
  bool awake_ = false;
  hocket_fifo_reader reader_{};
  hocket_fifo_writer writer_{};
  std::vector<Sending> sendings_;
  size_t next_ = 0;
  std::vector<std::string> expected_;
  size_t seen_ = 0;
  uint64_t bytes_ = 0;
  std::string shown_;
};

}  // namespace

std::unique_ptr<Part> make_fifo(Workbench& bench, Section& section) {
  return std::make_unique<Fifo>(bench, section);
}

}  // namespace hocket::sim
