// Items of 84 bytes through a channel and a ring buffer between loops on three cores, each checked whole.
//
// The last loop holds interrupts off most of the time: that holds pin handlers back and nothing else.
struct Item {
  uint32_t number;
  uint32_t copies[20];
  void fill(uint32_t n) {
    number = n;
    for (auto& copy : copies) copy = n;
  }
  bool whole() const {
    for (auto copy : copies) {
      if (copy != number) return false;
    }
    return true;
  }
};

Channel<Item> newest;
Ringbuf<Item, 8> all;
volatile unsigned torn, backwards, reads, received, wrong;

void setup() {
  Serial.begin(2000000);
}

void loop(1, 5, 10, onCore(0)) {
  static uint32_t n = 0;
  Item item;
  item.fill(++n);
  channelWrite(newest, item);
}

void loop(2, 5, 10, onCore(1)) {
  static uint32_t last = 0;
  Item item = channelRead(newest);
  reads++;
  if (!item.whole()) torn++;
  if (item.number < last) backwards++;
  last = item.number;
}

void loop(3, 3, 10, onCore(0)) {
  static uint32_t n = 0;
  Item item;
  item.fill(n + 1);
  if (ringbufWrite(all, item)) n++;
}

void loop(4, 2, 7, onCore(2)) {
  static uint32_t n = 0;
  Item item;
  if (!ringbufRead(all, item)) return;
  received++;
  if (!item.whole() || item.number != ++n) wrong++;
}

void loop(5, 1, 100, onCore(2)) {
  delay(100);
  noInterrupts();
  delay(1);
  char line[120];
  snprintf(line, sizeof line, "torn %u backwards %u reads %u wrong %u received %u", torn, backwards,
           reads, wrong, received);
  Serial.println(line);
  if (random(2)) interrupts();
}
