// A ground station: repeatedly sends its newest command as packets on a serial port.
//
//   number; north, east, height to fly to: mm; late, load: us
//
// A command sets the position to fly to. For demonstrations of failures, `late` asks the controller
// to answer this long after its release, and `load` asks for this much computing at each packet. A
// field that a command omits keeps its value.

#include <algorithm>

#include "simulation/parts/packets.h"
#include "simulation/parts/part.h"

namespace hocket::sim {
namespace {

struct Order {
  Nanos at = 0;
  int64_t north = 0, east = 0, height = 20'000'000'000;  // nm
  int64_t late = 0, load = 0;                            // ns
};

class GroundStation final : public Part, private SerialListener {
 public:
  GroundStation(Workbench& bench, Section& section)
      : Part(bench, section),
        port_(port(section)),
        sender_(section, port_, bench.seed),
        every_(static_cast<Nanos>(
            section.number_or("every", 1'000'000'000, kShortestEvery, kLongestTime))) {
    for (const Item& item : section.list("commands")) add(item);
    if (orders_.empty()) section.fail("needs commands");
    next_ = orders_.front().at;
    port_.connect(*this);
  }

  void start() override { bench_.events.schedule(next_, *this); }

  void due(Nanos now, uint64_t) override {
    while (given_ + 1 < orders_.size() && orders_[given_ + 1].at <= now) ++given_;
    next_ = now + every_;
    if (given_ + 1 < orders_.size()) next_ = std::min(next_, orders_[given_ + 1].at);
    bench_.events.schedule(next_, *this);
    send(now, orders_[given_]);
  }

  void facts(Facts& facts, Nanos) const override {
    facts.count("bytes_heard", heard_);
    sender_.facts(facts);
  }

 private:
  static constexpr int64_t kShortestEvery = 1'000'000;     // 1 ms
  static constexpr int64_t kFarthest = 1'000'000'000'000;  // 1 km
  static constexpr int64_t kLongestLate = 60'000'000'000;  // 60 s

  void add(const Item& item) {
    item.only({"at", "north", "east", "height", "late", "load"});
    Order order = orders_.empty() ? Order{} : orders_.back();
    const auto at = static_cast<Nanos>(item.number("at", 0, kLongestTime));
    if (!orders_.empty() && at <= order.at) item.fail("must have ascending times");
    order.at = at;
    order.north = item.optional("north", -kFarthest, kFarthest).value_or(order.north);
    order.east = item.optional("east", -kFarthest, kFarthest).value_or(order.east);
    order.height = item.optional("height", 0, kFarthest).value_or(order.height);
    order.late = item.optional("late", 0, kLongestLate).value_or(order.late);
    order.load = item.optional("load", 0, kLongestLate).value_or(order.load);
    orders_.push_back(order);
  }

  void send(Nanos now, const Order& order) {
    constexpr double kMillimetres = 1e-6;
    Payload payload;
    payload.u16(number_++);
    for (const int64_t way : {order.north, order.east, order.height})
      payload.i32(static_cast<double>(way) * kMillimetres);
    for (const int64_t time : {order.late, order.load})
      payload.u32(static_cast<uint64_t>(time) / 1000);
    sender_.send(now, PacketType::Command, payload);
  }

  void port_sent(Nanos, uint8_t) override { ++heard_; }
  bool may_answer() const override { return false; }
  Nanos sends_at() const override { return next_; }

  SerialPort& port_;
  PacketSender sender_;
  Nanos every_, next_ = 0;
  std::vector<Order> orders_;
  size_t given_ = 0;
  uint16_t number_ = 0;
  uint64_t heard_ = 0;
};

}  // namespace

std::unique_ptr<Part> make_ground_station(Workbench& bench, Section& section) {
  return std::make_unique<GroundStation>(bench, section);
}

}  // namespace hocket::sim
